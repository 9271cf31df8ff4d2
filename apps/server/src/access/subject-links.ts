import { sql, type SqlBool } from 'kysely'
import type { SubjectType } from '@parquetry/model'
import type { Condition } from '../store/conditions.ts'
import type { Tables } from '../store/tables.ts'
import type { Principal } from './principal.ts'

/** A join table: `{ through: 'chart_owner', own: 'chart_id', other: 'user_id' }`. */
export interface Link {
  through: keyof Tables
  own: string
  other: string
}

/** Join tables of an object and its subjects, by their type. */
export type SubjectLinks = Readonly<Record<SubjectType, Link>>

export type OwnableKind = 'chart' | 'dashboard' | 'dataset'
export type ViewableKind = 'chart' | 'dashboard'

const editors = (kind: OwnableKind): SubjectLinks => ({
  user: { through: `${kind}_owner`, own: `${kind}_id`, other: 'user_id' },
  role: { through: `${kind}_owner_role`, own: `${kind}_id`, other: 'role_id' },
  group: { through: `${kind}_owner_group`, own: `${kind}_id`, other: 'group_id' },
})

/** Subjects that own an object, so that they may see and change it. */
export const editorLinks: Readonly<Record<OwnableKind, SubjectLinks>> = {
  chart: editors('chart'),
  dashboard: editors('dashboard'),
  dataset: editors('dataset'),
}

/** Subjects that may see an object besides its owners. */
export const viewerLinks: Readonly<Record<ViewableKind, SubjectLinks>> = {
  chart: {
    user: { through: 'chart_viewer', own: 'chart_id', other: 'user_id' },
    role: { through: 'chart_viewer_role', own: 'chart_id', other: 'role_id' },
    group: { through: 'chart_viewer_group', own: 'chart_id', other: 'group_id' },
  },
  dashboard: {
    user: { through: 'dashboard_viewer', own: 'dashboard_id', other: 'user_id' },
    role: { through: 'dashboard_role', own: 'dashboard_id', other: 'role_id' },
    group: { through: 'dashboard_viewer_group', own: 'dashboard_id', other: 'group_id' },
  },
}

/** Ids by type of the subjects that a principal is: the user, their roles and their groups. */
export const subjectsOf = ({ id, roles, groups }: Principal): readonly (readonly [SubjectType, readonly number[]])[] =>
  (
    [
      ['user', id === null ? [] : [id]],
      ['role', roles.map((role) => role.id)],
      ['group', groups.map((group) => group.id)],
    ] as const
  ).filter(([, ids]) => ids.length > 0)

/** Conditions on a table in a query: its row is linked to a subject of the principal. Empty for a principal without any. */
export const isLinkedToPrincipal = (links: SubjectLinks, table: string, principal: Principal): Condition[] =>
  subjectsOf(principal).map(([type, ids]) => {
    const { through, own, other } = links[type]
    return sql<SqlBool>`exists (select 1 from ${sql.table(through)} as held
      where held.${sql.ref(own)} = ${sql.ref(`${table}.id`)} and held.${sql.ref(other)} in (${sql.join(ids)}))`
  })

/** Subqueries of the ids of all objects that are linked to a subject of the principal. */
export const selectLinked = (links: SubjectLinks, principal: Principal): ReturnType<typeof sql>[] =>
  subjectsOf(principal).map(([type, ids]) => {
    const { through, own, other } = links[type]
    return sql`select ${sql.ref(own)} from ${sql.table(through)} where ${sql.ref(other)} in (${sql.join(ids)})`
  })

/** Condition: an object is not reserved to its viewers. For dashboards, viewers that are roles or groups also reserve it. */
export const isUnrestricted = (kind: ViewableKind): Condition => {
  const tables: (keyof Tables)[] =
    kind === 'chart' ? ['chart_restriction'] : ['dashboard_role', 'dashboard_viewer_group', 'dashboard_restriction']
  return sql<SqlBool>`(${sql.join(
    tables.map(
      (table) =>
        sql`not exists (select 1 from ${sql.table(table)} as reserved
          where reserved.${sql.ref(`${kind}_id`)} = ${sql.ref(`${kind}.id`)})`,
    ),
    sql` and `,
  )})`
}
