import { StatusChip, userDisplayName, type Translate } from '@parquetry/ui'
import { formatDateTime, formatDateTimeWithZone } from '../../shared/formats.ts'
import { i18n } from '../../shared/intl.ts'
import { userId } from '../../shared/rights.ts'
import type { ListDefinition, ListRow } from '../definition.ts'
import styles from '../lists.module.css'

const fields = [
  'id',
  'first_name',
  'last_name',
  'username',
  'email',
  'active',
  'roles.id',
  'roles.name',
  'groups.id',
  'groups.name',
  'last_login',
  'changed_on',
] as const

type Named = { id: number; name: string }

export interface UserRow extends ListRow {
  first_name: string
  last_name: string
  username: string
  email: string
  active: boolean
  roles: Named[]
  groups: Named[]
  last_login: string | null
  changed_on: string
}

const create = '/users/?new=true'

/** Names in one line; the whole list is in the tooltip. */
export function ClippedList({ items }: { items: readonly Named[] }) {
  const text = new Intl.ListFormat(i18n.locale, { type: 'unit' }).format(items.map(({ name }) => name))
  return (
    <span className={styles.clipped} title={text}>
      {text}
    </span>
  )
}

function LastSignIn({ at }: { at: string }) {
  const time = new Date(`${at}Z`)
  return (
    <time className={styles.times} dateTime={time.toISOString()} title={formatDateTimeWithZone(time)}>
      {formatDateTime(time)}
    </time>
  )
}

export interface UserActions {
  mayWrite: boolean
  mayDelete: boolean
  /** Lets a user sign in again. */
  onActivate(row: UserRow): void
}

export const userList = (t: Translate, { mayWrite, mayDelete, onActivate }: UserActions): ListDefinition<UserRow> => ({
  resource: 'security/users',
  view: 'User',
  icon: 'user',
  nouns: {
    title: t('lists.users.title', 'Users'),
    one: t('lists.users.one', 'user'),
    many: t('lists.users.many', 'users'),
    count: (n) => t('lists.users.count', '{n, plural, one {# user} other {# users}}', { n }),
  },
  fields,
  nameHeader: t('lists.column.name', 'Name'),
  nameOf: userDisplayName,
  nameOrder: 'first_name',
  defaultSort: { column: 'first_name', direction: 'asc' },
  hrefOf: ({ id }) => `/users/?edit=${id}`,
  searchLabel: t('lists.users.search', 'Search names and email addresses'),
  search: (value) => ({ col: 'username', opr: 'user_all_text', value }),
  filters: [
    {
      name: 'active',
      label: t('lists.users.status', 'Status'),
      kind: 'choice',
      options: [
        { value: 'true', label: t('lists.users.active', 'Active') },
        { value: 'false', label: t('lists.users.inactive', 'Deactivated') },
      ],
      toApi: (value) => [{ col: 'active', opr: 'eq', value: value === 'true' }],
    },
    {
      name: 'role',
      label: t('lists.users.role', 'Role'),
      kind: 'subject',
      column: 'role',
      toApi: (value) => [{ col: 'roles', opr: 'rel_m_m', value: Number(value) }],
    },
    {
      name: 'group',
      label: t('lists.users.group', 'Group'),
      kind: 'subject',
      column: 'group',
      toApi: (value) => [{ col: 'groups', opr: 'rel_m_m', value: Number(value) }],
    },
  ],
  columns: [
    {
      id: 'username',
      header: t('lists.users.username', 'Username'),
      order: 'username',
      width: '14%',
      hideUnder: 768,
      cell: ({ username }) => (
        <span className={styles.clipped} title={username}>
          {username}
        </span>
      ),
    },
    {
      id: 'email',
      header: t('lists.users.email', 'Email address'),
      order: 'email',
      width: '18%',
      hideUnder: 992,
      cell: ({ email }) => (
        <span className={styles.clipped} title={email}>
          {email}
        </span>
      ),
    },
    {
      id: 'roles',
      header: t('lists.users.roles', 'Roles'),
      width: '16%',
      hideUnder: 768,
      cell: ({ roles }) => <ClippedList items={roles} />,
    },
    {
      id: 'groups',
      header: t('lists.users.groups', 'Groups'),
      width: '14%',
      hideUnder: 1200,
      cell: ({ groups }) => <ClippedList items={groups} />,
    },
    {
      id: 'last',
      header: t('lists.users.lastSignIn', 'Last sign-in'),
      order: 'last_login',
      width: '148px',
      hideUnder: 768,
      cell: ({ last_login }) =>
        last_login === null ? (
          <span className={styles.muted}>{t('lists.users.never', 'Never')}</span>
        ) : (
          <LastSignIn at={last_login} />
        ),
    },
  ],
  marks: ({ active }) =>
    !active && (
      <StatusChip icon="lock" title={t('lists.users.inactiveSentence', 'This user cannot sign in.')}>
        {t('lists.users.inactive', 'Deactivated')}
      </StatusChip>
    ),
  subtitle: ({ username, roles, groups }) => [username, ...[...roles, ...groups].map(({ name }) => name)].join(' · '),
  firstUse: {
    title: t('lists.users.none', 'No users yet'),
    text: t(
      'lists.users.noneText',
      'Users sign in with a username and a password. Their roles decide what they can do.',
    ),
    action: { label: t('lists.users.create', 'User'), href: create },
  },
  create: { label: t('lists.users.create', 'User'), href: create, permission: 'can_post' },
  ...(mayWrite && { edit: { label: t('lists.key.edit', 'Edit row'), mayEdit: () => true } }),
  removePermission: null,
  menu: (row, { open }) => [
    ...(mayWrite
      ? [
          {
            label: t('lists.edit', 'Edit'),
            icon: 'edit' as const,
            shortcut: 'E',
            onSelect: () => open('edit', row.id),
          },
          {
            label: t('lists.users.access', 'Password, sessions and keys'),
            icon: 'keyboard' as const,
            onSelect: () => open('access', row.id),
          },
          {
            label: t('lists.users.transfer', 'Hand over content'),
            icon: 'arrow-right' as const,
            onSelect: () => open('transfer', row.id),
          },
          row.active
            ? {
                label: t('lists.users.deactivate', 'Deactivate'),
                icon: 'lock' as const,
                ...(row.id === userId && {
                  disabledReason: t('lists.users.ownAccount', 'You cannot deactivate or delete your own account.'),
                }),
                onSelect: () => open('deactivate', row.id),
              }
            : {
                label: t('lists.users.activate', 'Activate'),
                icon: 'check' as const,
                onSelect: () => onActivate(row),
              },
        ]
      : []),
    ...(mayDelete
      ? [
          {
            label: t('lists.delete', 'Delete'),
            icon: 'trash' as const,
            danger: true,
            ...(row.id === userId && {
              disabledReason: t('lists.users.ownAccount', 'You cannot deactivate or delete your own account.'),
            }),
            onSelect: () => open('delete', row.id),
          },
        ]
      : []),
  ],
})
