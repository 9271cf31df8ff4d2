import { useTranslate, type Translate } from '@parquetry/ui'
import { useMemo } from 'react'
import { formatDateTime } from '../../shared/formats.ts'
import { can } from '../../shared/rights.ts'
import type { ListDefinition, ListRow } from '../definition.ts'
import { ListPage } from '../ListPage.tsx'
import styles from '../lists.module.css'
import { registrations } from '../pages.ts'

interface RegistrationRow extends ListRow {
  username: string
  email: string
  first_name: string
  last_name: string
  registration_date: string
}

const registrationList = (t: Translate, mayDelete: boolean): ListDefinition<RegistrationRow> => ({
  resource: 'security/user_registrations',
  view: 'UserRegistrationsRestAPI',
  icon: 'user',
  nouns: {
    title: t('lists.registrations.title', 'Self-registrations'),
    one: t('lists.registrations.one', 'self-registration'),
    many: t('lists.registrations.many', 'self-registrations'),
    count: (n) =>
      t('lists.registrations.count', '{n, plural, one {# self-registration} other {# self-registrations}}', { n }),
  },
  fields: ['id', 'username', 'email', 'first_name', 'last_name', 'registration_date'],
  nameHeader: t('lists.users.username', 'Username'),
  nameOf: ({ username }) => username,
  nameOrder: 'username',
  defaultSort: { column: 'registration_date', direction: 'desc' },
  hrefOf: () => '/registrations/',
  searchLabel: t('lists.registrations.search', 'Search usernames'),
  search: (value) => ({ col: 'username', opr: 'ct', value }),
  filters: [],
  columns: [
    {
      id: 'name',
      header: t('lists.column.name', 'Name'),
      order: 'first_name',
      width: '24%',
      hideUnder: 768,
      cell: ({ first_name, last_name }) => `${first_name} ${last_name}`,
    },
    {
      id: 'email',
      header: t('lists.users.email', 'Email address'),
      order: 'email',
      width: '28%',
      hideUnder: 768,
      cell: ({ email }) => <span className={styles.clipped}>{email}</span>,
    },
    {
      id: 'registered',
      header: t('lists.registrations.date', 'Registered'),
      order: 'registration_date',
      width: '148px',
      hideUnder: 768,
      cell: ({ registration_date }) => (
        <span className={styles.times}>{formatDateTime(new Date(`${registration_date}Z`))}</span>
      ),
    },
  ],
  subtitle: ({ email }) => email,
  firstUse: {
    title: t('lists.registrations.none', 'No self-registrations'),
    text: t(
      'lists.registrations.noneText',
      'People cannot register themselves on this server. Administrators create users or invite them.',
    ),
    action: { label: t('lists.users.create', 'User'), href: '/users/?new=true' },
  },
  removePermission: mayDelete ? 'can_delete' : null,
})

/** People who asked for an account. */
export function RegistrationListPage() {
  const t = useTranslate()
  const mayDelete = can('can_delete', 'UserRegistrationsRestAPI')
  const definition = useMemo(() => registrationList(t, mayDelete), [t, mayDelete])
  return <ListPage page={registrations} definition={definition} />
}
