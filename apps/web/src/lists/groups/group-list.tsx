import type { Translate } from '@parquetry/ui'
import { formatNumber } from '../../shared/formats.ts'
import type { ListDefinition, ListRow } from '../definition.ts'
import styles from '../lists.module.css'
import { ClippedList } from '../users/user-list.tsx'

const fields = [
  'id',
  'name',
  'label',
  'description',
  'roles.id',
  'roles.name',
  'user_count',
  'rules.id',
  'rules.name',
  'changed_on_delta_humanized',
] as const

type Named = { id: number; name: string }

export interface GroupRow extends ListRow {
  name: string
  label: string | null
  description: string | null
  roles: Named[]
  user_count: number
  rules: Named[]
}

const create = '/list_groups/?new=true'

export const groupList = (
  t: Translate,
  { mayWrite, mayDelete }: { mayWrite: boolean; mayDelete: boolean },
): ListDefinition<GroupRow> => {
  const countMembers = (count: number): string =>
    t('lists.groups.members', '{count, plural, one {# member} other {# members}}', { count })
  return {
    resource: 'security/groups',
    view: 'Group',
    icon: 'user',
    nouns: {
      title: t('lists.groups.title', 'Groups'),
      one: t('lists.groups.one', 'group'),
      many: t('lists.groups.many', 'groups'),
      count: (n) => t('lists.groups.count', '{n, plural, one {# group} other {# groups}}', { n }),
    },
    fields,
    nameHeader: t('lists.column.name', 'Name'),
    nameOf: ({ name }) => name,
    nameOrder: 'name',
    defaultSort: { column: 'name', direction: 'asc' },
    hrefOf: ({ id }) => `/list_groups/?edit=${id}`,
    searchLabel: t('lists.groups.search', 'Search names and descriptions'),
    search: (value) => ({ col: 'name', opr: 'group_all_text', value }),
    filters: [
      {
        name: 'role',
        label: t('lists.users.role', 'Role'),
        kind: 'subject',
        column: 'role',
        toApi: (value) => [{ col: 'roles', opr: 'rel_m_m', value: Number(value) }],
      },
      {
        name: 'user',
        label: t('lists.groups.member', 'Member'),
        kind: 'subject',
        column: 'user',
        toApi: (value) => [{ col: 'users', opr: 'rel_m_m', value: Number(value) }],
      },
    ],
    columns: [
      {
        id: 'label',
        header: t('lists.groups.label', 'Label'),
        order: 'label',
        width: '16%',
        hideUnder: 768,
        cell: ({ label }) => (
          <span className={styles.clipped} title={label ?? ''}>
            {label}
          </span>
        ),
      },
      {
        id: 'description',
        header: t('lists.description', 'Description'),
        order: 'description',
        width: '24%',
        hideUnder: 1200,
        cell: ({ description }) => (
          <span className={styles.clipped} title={description ?? ''}>
            {description}
          </span>
        ),
      },
      {
        id: 'roles',
        header: t('lists.users.roles', 'Roles'),
        width: '20%',
        hideUnder: 768,
        cell: ({ roles }) => <ClippedList items={roles} />,
      },
      {
        id: 'members',
        header: t('lists.groups.membersHeader', 'Members'),
        width: '96px',
        align: 'end',
        hideUnder: 768,
        cell: ({ user_count }) => formatNumber(user_count),
      },
    ],
    subtitle: ({ label, roles, user_count }) =>
      [label, countMembers(user_count), ...roles.map(({ name }) => name)].filter(Boolean).join(' · '),
    firstUse: {
      title: t('lists.groups.none', 'No groups yet'),
      text: t(
        'lists.groups.noneText',
        'All members of a group get its roles and attributes, and row-level security rules can name it.',
      ),
      action: { label: t('lists.groups.create', 'Group'), href: create },
    },
    create: { label: t('lists.groups.create', 'Group'), href: create, permission: 'can_post' },
    ...(mayWrite && { edit: { label: t('lists.key.edit', 'Edit row'), mayEdit: () => true } }),
    removePermission: mayDelete ? 'can_delete' : null,
    menu: ({ id }, { open, go }) => [
      ...(mayWrite
        ? [{ label: t('lists.edit', 'Edit'), icon: 'edit' as const, shortcut: 'E', onSelect: () => open('edit', id) }]
        : []),
      {
        label: t('lists.groups.showMembers', 'Show members'),
        icon: 'list' as const,
        onSelect: () => go(`/users/?group=${id}`),
      },
    ],
    consequence: (rows) => {
      const rules = rows.flatMap((row) => row.rules.map(({ name }) => name))
      if (rules.length > 0)
        return Promise.resolve({
          blocked: true,
          text: t(
            'lists.groups.inRules',
            'Row-level security rules name this group: {rules}. Remove it from them first, otherwise they would apply to other users.',
            { rules: rules.join(', ') },
          ),
        })
      const members = rows.reduce((sum, { user_count }) => sum + user_count, 0)
      return Promise.resolve({
        text: t(
          'lists.groups.consequence',
          '{members, plural, =0 {It has no members.} one {# member loses the roles and attributes of the group immediately.} other {# members lose the roles and attributes of the group immediately.}} This cannot be undone.',
          { members },
        ),
      })
    },
  }
}
