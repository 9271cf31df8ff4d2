import { type Selectable, sql } from 'kysely'
import { computedColumn, userColumn } from '../http/column-resolvers.ts'
import { anyContains, booleanFilter, numberFilter, textFilter } from '../http/filters.ts'
import type { ColumnResolver, Resource } from '../http/resource.ts'
import type { SubjectView } from '../store/tables.ts'

type SubjectRow = Selectable<SubjectView>

const announced = [
  'id',
  'uuid',
  'label',
  'secondary_label',
  'type',
  'active',
  'extra_search',
  'img',
  'user_id',
  'role_id',
  'group_id',
  'created_on',
  'changed_on',
  'changed_by.first_name',
  'changed_by.last_name',
]

/** The row of another table that a subject stands for, or null. */
const member =
  (column: 'user_id' | 'role_id' | 'group_id', table: string, columns: readonly string[]): ColumnResolver<SubjectRow> =>
  async (rows, { db }) => {
    const ids = rows.map((row) => row[column]).filter((id) => id !== null)
    if (ids.length === 0) return rows.map(() => null)
    const found = await sql<{
      id: number
      active?: number | boolean
    }>`select ${sql.join(columns.map((name) => sql.ref(name)))}
      from ${sql.table(table)} where id in (${sql.join(ids)})`.execute(db)
    const byId = new Map(found.rows.map((row) => [row.id, row]))
    return rows.map((row) => {
      const linked = row[column] === null ? undefined : byId.get(row[column])
      return linked ? { ...linked, ...(linked.active !== undefined && { active: linked.active === 1 }) } : null
    })
  }

const userColumns = ['id', 'username', 'first_name', 'last_name', 'email', 'active']

/** Resource definition of `/api/v1/security/subject/`. */
export const subjectResource: Resource<SubjectRow> & { kind: 'subject' } = {
  kind: 'subject',
  title: 'Subject',
  listTitle: 'List Subjects',
  view: 'Subject',
  list: { announced },
  show: {
    announced: [
      ...announced,
      ...userColumns.map((column) => `user.${column}`),
      'role.id',
      'role.name',
      'group.id',
      'group.name',
      'group.label',
      'group.description',
    ],
  },
  order: {
    label: 'subject.label',
    type: 'subject.type',
    active: 'subject.active',
    created_on: 'subject.created_on',
    changed_on: 'subject.changed_on',
  },
  defaultOrder: ['changed_on', 'desc'],
  filters: {
    label: [
      ...textFilter('subject.label'),
      anyContains('subject_all_text', 'All Text', ['subject.label', 'subject.secondary_label', 'subject.extra_search']),
    ],
    secondary_label: textFilter('subject.secondary_label'),
    extra_search: textFilter('subject.extra_search'),
    type: numberFilter('subject.type'),
    active: booleanFilter('subject.active'),
    user_id: numberFilter('subject.user_id'),
    role_id: numberFilter('subject.role_id'),
    group_id: numberFilter('subject.group_id'),
  },
  resolvers: {
    active: computedColumn(({ active }) => (active === null ? null : active === 1)),
    img: computedColumn(({ user_id }) => (user_id === null ? null : `/api/v1/user/${user_id}/avatar.png`)),
    changed_by: userColumn('changed_by_fk'),
    user: member('user_id', 'user', userColumns),
    role: member('role_id', 'role', ['id', 'name']),
    group: member('group_id', 'user_group', ['id', 'name', 'label', 'description']),
  },
  related: {},
  distinct: [],
  bodies: null,
}
