import { StatusChip, type Translate } from '@parquetry/ui'
import { formatNumber } from '../../shared/formats.ts'
import { changedColumn } from '../common-columns.tsx'
import { describeBuiltIn } from '../../shared/describe-built-in.ts'
import type { ListDefinition, ListRow } from '../definition.ts'

const fields = [
  'id',
  'name',
  'is_built_in',
  'user_count',
  'group_count',
  'changed_on',
  'changed_on_delta_humanized',
] as const

interface RoleRow extends ListRow {
  name: string
  is_built_in: boolean
  user_count: number
  group_count: number
}

const create = '/roles/?new=true'

const formatMembers = (t: Translate, { user_count, group_count }: RoleRow): string =>
  t(
    'roles.members.summary',
    '{users, plural, one {# user} other {# users}}{groups, plural, =0 {} one {, # group} other {, # groups}}',
    { users: user_count, groups: group_count },
  )

export const roleList = (t: Translate): ListDefinition<RoleRow> => ({
  resource: 'security/roles',
  view: 'Role',
  removePermission: 'can_delete',
  icon: 'role',
  nouns: {
    title: t('roles.title', 'Roles'),
    one: t('roles.oneNoun', 'role'),
    many: t('roles.manyNoun', 'roles'),
    count: (n) => t('roles.count', '{n, plural, one {# role} other {# roles}}', { n }),
  },
  fields,
  nameHeader: t('lists.column.name', 'Name'),
  nameOf: ({ name }) => name,
  nameOrder: 'name',
  hrefOf: ({ id }) => `/roles/${id}`,
  searchLabel: t('roles.search', 'Search names'),
  search: (value) => ({ col: 'name', opr: 'ct', value }),
  filters: [
    {
      name: 'user',
      label: t('roles.filter.user', 'Held by user'),
      kind: 'subject',
      column: 'user',
      toApi: (value) => [{ col: 'users', opr: 'rel_m_m', value: Number(value) }],
    },
    {
      name: 'group',
      label: t('roles.filter.group', 'Held by group'),
      kind: 'subject',
      column: 'group',
      toApi: (value) => [{ col: 'groups', opr: 'rel_m_m', value: Number(value) }],
    },
  ],
  columns: [
    {
      id: 'kind',
      header: t('roles.column.kind', 'Kind'),
      width: '120px',
      hideUnder: 576,
      cell: ({ is_built_in }) =>
        is_built_in ? <StatusChip icon="lock">{t('roles.builtIn', 'Built-in')}</StatusChip> : t('roles.own', 'Own'),
    },
    {
      id: 'purpose',
      header: t('roles.column.purpose', 'Purpose'),
      width: '38%',
      hideUnder: 1200,
      cell: ({ name, is_built_in }) => (is_built_in ? describeBuiltIn(t, name) : null),
    },
    {
      id: 'users',
      header: t('roles.column.users', 'Users'),
      width: '96px',
      hideUnder: 768,
      cell: ({ user_count }) => formatNumber(user_count),
    },
    {
      id: 'groups',
      header: t('roles.column.groups', 'Groups'),
      width: '96px',
      hideUnder: 768,
      cell: ({ group_count }) => formatNumber(group_count),
    },
    changedColumn(t),
  ],
  subtitle: (row) => formatMembers(t, row),
  defaultSort: { column: 'name', direction: 'asc' },
  firstUse: {
    title: t('roles.none', 'No roles yet'),
    text: t('roles.noneText', 'A role says what its holders may do and which data they may read.'),
    action: { label: t('roles.create', 'Role'), href: create },
  },
  create: { label: t('roles.create', 'Role'), href: create, permission: 'can_post' },
  menu: ({ id, is_built_in }, { go, open }) => [
    { label: t('roles.open', 'Open'), icon: 'edit', onSelect: () => go(`/roles/${id}`) },
    { label: t('roles.duplicate', 'Duplicate'), icon: 'copy', onSelect: () => open('duplicate', id) },
    ...(is_built_in
      ? []
      : [{ label: t('roles.rename', 'Rename'), icon: 'text' as const, onSelect: () => open('rename', id) }]),
  ],
  canDelete: ({ is_built_in }) => !is_built_in,
  consequence: (rows) =>
    Promise.resolve({
      typed: true,
      text: t(
        'roles.consequence',
        '{n, plural, one {A role that is still in use is not deleted.} other {Roles that are still in use are not deleted.}} This cannot be undone.',
        { n: rows.length },
      ),
    }),
})
