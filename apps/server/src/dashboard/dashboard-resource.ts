import { DashboardPost, DashboardPut } from '@parquetry/model'
import { type Selectable, sql, type SqlBool } from 'kysely'
import { names } from '../http/columns.ts'
import { dashboardUrl } from './dashboard-url.ts'
import { favoriteFilter } from '../http/favorites.ts'
import {
  anyContains,
  named,
  notBuilt,
  number,
  ownersFilter,
  text,
  toMany,
  toOne,
  truth,
  yesNo,
} from '../http/filters.ts'
import { audited, byPerson, each, owners, truths } from '../http/heads.ts'
import { people, roles as roleSource } from '../http/related.ts'
import type { Head, Resource } from '../http/resource.ts'
import type { DashboardTable } from '../store/tables.ts'

export type DashboardRow = Selectable<DashboardTable>

export const ownerPair = { through: 'dashboard_owner', own: 'dashboard_id', other: 'user_id' }
export const rolePair = { through: 'dashboard_role', own: 'dashboard_id', other: 'role_id' }
export const chartPair = { through: 'dashboard_chart', own: 'dashboard_id', other: 'chart_id' }

const roles: Head<DashboardRow> = async (rows, { db }) => {
  const found = await db
    .selectFrom('dashboard_role')
    .innerJoin('role', 'role.id', 'role_id')
    .select(['dashboard_id', 'role.id', 'name'])
    .where('dashboard_id', 'in', rows.map(({ id }) => id).concat(-1))
    .orderBy('role.id')
    .execute()
  return rows.map((row) =>
    found.filter(({ dashboard_id }) => dashboard_id === row.id).map(({ id, name }) => ({ id, name })),
  )
}

/** Names of the charts on each dashboard. */
const charts: Head<DashboardRow> = async (rows, { db }) => {
  const found = await db
    .selectFrom('dashboard_chart')
    .innerJoin('chart', 'chart.id', 'chart_id')
    .select(['dashboard_id', 'slice_name'])
    .where('dashboard_id', 'in', rows.map(({ id }) => id).concat(-1))
    .orderBy('chart.id')
    .execute()
  return rows.map((row) =>
    found.filter(({ dashboard_id }) => dashboard_id === row.id).map(({ slice_name }) => slice_name),
  )
}

/** Columns of `GET /api/v1/dashboard/{id or slug}`. */
export const detailColumns = names(`
      id slug url dashboard_title thumbnail_url published css json_metadata position_json certified_by
      certification_details changed_by_name changed_by_url changed_by.first_name changed_by.id
      changed_by.last_name changed_on charts owners.first_name owners.id owners.last_name roles.id roles.name
      changed_on_delta_humanized is_managed_externally uuid tags created_by.first_name created_by.id
      created_by.last_name created_on_delta_humanized owners.username
    `)

/** How `/api/v1/dashboard/` reads dashboards. */
export const dashboardResource: Resource<DashboardRow> & { kind: 'dashboard' } = {
  kind: 'dashboard',
  title: 'Dashboard',
  view: 'Dashboard',
  list: {
    announced: names(`
      id published status slug url css position_json json_metadata thumbnail_url certified_by
      certification_details changed_by.first_name changed_by.last_name changed_by.id changed_by_name
      changed_by_url changed_on_utc changed_on_delta_humanized created_on_delta_humanized created_by.first_name
      created_by.id created_by.last_name dashboard_title owners.id owners.first_name owners.last_name roles.id
      roles.name is_managed_externally
    `),
    later: ['uuid', 'tags', 'changed_on', 'owners.username', 'owners.email'],
  },
  show: { announced: detailColumns },
  stored: {
    always: names(`
      id uuid dashboard_title slug published certified_by certification_details is_managed_externally
      created_on changed_on created_by_fk changed_by_fk
    `),
    asked: ['position_json', 'json_metadata', 'css', 'description'],
  },
  order: {
    'changed_by.first_name': byPerson('dashboard.changed_by_fk', 'first_name'),
    changed_on_delta_humanized: 'dashboard.changed_on',
    'created_by.first_name': byPerson('dashboard.created_by_fk', 'first_name'),
    dashboard_title: 'dashboard.dashboard_title',
    published: 'dashboard.published',
    changed_on: 'dashboard.changed_on',
  },
  defaultOrder: ['changed_on', 'desc'],
  filters: {
    changed_by: toOne('dashboard.changed_by_fk', 'user'),
    created_by: [
      ...toOne('dashboard.created_by_fk', 'user'),
      named('dashboard_created_by_me', 'Created by me', (_, { principal }) => {
        return sql<SqlBool>`dashboard.created_by_fk = ${principal.id ?? -1}`
      }),
      yesNo('dashboard_has_created_by', 'Has created by', () => sql<SqlBool>`dashboard.created_by_fk is not null`),
    ],
    dashboard_title: [
      ...text('dashboard.dashboard_title'),
      anyContains('title_or_slug', 'Title or Slug', ['dashboard.dashboard_title', 'dashboard.slug']),
    ],
    id: [
      ...number('dashboard.id'),
      ...favoriteFilter('dashboard'),
      yesNo('dashboard_is_certified', 'Is certified', () => sql<SqlBool>`coalesce(dashboard.certified_by, '') <> ''`),
    ],
    uuid: text('dashboard.uuid').map((operator) => ({ ...operator, later: true as const })),
    owners: ownersFilter('dashboard', ownerPair),
    published: truth('dashboard.published'),
    roles: toMany('dashboard', 'role', rolePair),
    slug: text('dashboard.slug'),
    tags: notBuilt('dashboard_tags', 'dashboard_tag_id'),
  },
  heads: {
    ...audited<DashboardRow>(),
    ...truths<DashboardRow>('published', 'is_managed_externally'),
    owners: owners('dashboard'),
    roles,
    charts,
    tags: each(() => []),
    status: each(({ published }) => (published === 1 ? 'published' : 'draft')),
    url: each(dashboardUrl),
    thumbnail_url: each(
      ({ id, changed_on }) => `/api/v1/dashboard/${id}/thumbnail/${Date.parse(`${changed_on}Z`).toString(36)}/`,
    ),
  },
  related: {
    owners: people({ withContact: true }),
    roles: roleSource,
    created_by: people(),
    changed_by: people(),
  },
  distinct: [],
  bodies: { add: DashboardPost, edit: DashboardPut },
}
