import { DashboardPost, DashboardPut } from '@parquetry/model'
import { type Selectable, sql, type SqlBool } from 'kysely'
import { splitNames } from '../http/columns.ts'
import { dashboardUrl } from './dashboard-url.ts'
import { favoriteFilter } from '../http/favorites.ts'
import {
  anyContains,
  customOperator,
  numberFilter,
  ownersFilter,
  textFilter,
  toManyFilter,
  toOneFilter,
  booleanFilter,
  booleanOperator,
} from '../http/filters.ts'
import { auditColumns, sortByUser, computedColumn, ownersColumn, booleanColumns } from '../http/column-resolvers.ts'
import { relatedUsers, relatedRoles as roleSource } from '../http/related.ts'
import { editorLinks, viewerLinks } from '../access/subject-links.ts'
import { editableFilter, subjectFilter, subjectsColumn } from '../http/subjects.ts'
import { customTagsColumn, tagsColumn, tagsFilter } from '../http/tags.ts'
import type { ColumnResolver, Resource } from '../http/resource.ts'
import { thumbnailUrl } from '../http/thumbnail.ts'
import type { DashboardTable } from '../store/tables.ts'

export type DashboardRow = Selectable<DashboardTable>

export const dashboardChartLink = { through: 'dashboard_chart', own: 'dashboard_id', other: 'chart_id' }

const roles: ColumnResolver<DashboardRow> = async (rows, { db }) => {
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
const charts: ColumnResolver<DashboardRow> = async (rows, { db }) => {
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

const theme: ColumnResolver<DashboardRow> = async (rows, { db }) => {
  const ids = rows.flatMap(({ theme_id }) => theme_id ?? [])
  if (ids.length === 0) return rows.map(() => null)
  const found = await db.selectFrom('theme').select(['id', 'theme_name', 'json_data']).where('id', 'in', ids).execute()
  return rows.map(({ theme_id }) => found.find(({ id }) => id === theme_id) ?? null)
}

/** Columns of `GET /api/v1/dashboard/{id or slug}`. */
export const detailColumns = splitNames(`
      id slug url dashboard_title thumbnail_url published css json_metadata position_json certified_by
      certification_details theme changed_by_name changed_by_url changed_by.first_name changed_by.id
      changed_by.last_name changed_on charts owners.first_name owners.id owners.last_name roles.id roles.name
      changed_on_delta_humanized is_managed_externally uuid tags created_by.first_name created_by.id
      created_by.last_name created_on_delta_humanized owners.username
      editors.id editors.label editors.type viewers.id viewers.label viewers.type
    `)

/** Defines how `/api/v1/dashboard/` reads dashboards. */
export const dashboardResource: Resource<DashboardRow> & { kind: 'dashboard' } = {
  kind: 'dashboard',
  title: 'Dashboard',
  view: 'Dashboard',
  isCached: true,
  list: {
    announced: splitNames(`
      id published status slug url css position_json json_metadata thumbnail_url certified_by
      certification_details changed_by.first_name changed_by.last_name changed_by.id changed_by_name
      changed_by_url changed_on_utc changed_on_delta_humanized created_on_delta_humanized created_by.first_name
      created_by.id created_by.last_name dashboard_title owners.id owners.first_name owners.last_name roles.id
      roles.name is_managed_externally
    `),
    unannounced: splitNames(`
      uuid tags custom_tags changed_on owners.username owners.email editors.id editors.label editors.type
      viewers.id viewers.label viewers.type
    `),
  },
  show: { announced: detailColumns },
  stored: {
    always: splitNames(`
      id uuid dashboard_title slug published certified_by certification_details is_managed_externally
      created_on changed_on created_by_fk changed_by_fk
    `),
    requested: ['position_json', 'json_metadata', 'css', 'description'],
  },
  order: {
    'changed_by.first_name': sortByUser('dashboard.changed_by_fk', 'first_name'),
    changed_on_delta_humanized: 'dashboard.changed_on',
    'created_by.first_name': sortByUser('dashboard.created_by_fk', 'first_name'),
    dashboard_title: 'dashboard.dashboard_title',
    published: 'dashboard.published',
    changed_on: 'dashboard.changed_on',
  },
  defaultOrder: ['changed_on', 'desc'],
  filters: {
    changed_by: toOneFilter('dashboard.changed_by_fk', 'user'),
    created_by: [
      ...toOneFilter('dashboard.created_by_fk', 'user'),
      customOperator('dashboard_created_by_me', 'Created by me', (_, { principal }) => {
        return sql<SqlBool>`dashboard.created_by_fk = ${principal.id ?? -1}`
      }),
      booleanOperator(
        'dashboard_has_created_by',
        'Has created by',
        () => sql<SqlBool>`dashboard.created_by_fk is not null`,
      ),
    ],
    dashboard_title: [
      ...textFilter('dashboard.dashboard_title'),
      anyContains('title_or_slug', 'Title or Slug', ['dashboard.dashboard_title', 'dashboard.slug']),
    ],
    id: [
      ...numberFilter('dashboard.id'),
      ...favoriteFilter('dashboard'),
      ...editableFilter('dashboard', ['can_write', 'Dashboard']),
      booleanOperator(
        'dashboard_is_certified',
        'Is certified',
        () => sql<SqlBool>`coalesce(dashboard.certified_by, '') <> ''`,
      ),
    ],
    uuid: textFilter('dashboard.uuid').map((operator) => ({ ...operator, unannounced: true as const })),
    owners: ownersFilter('dashboard', editorLinks.dashboard.user),
    editors: subjectFilter('dashboard', editorLinks.dashboard),
    viewers: subjectFilter('dashboard', viewerLinks.dashboard),
    published: booleanFilter('dashboard.published'),
    roles: toManyFilter('dashboard', 'role', viewerLinks.dashboard.role),
    slug: textFilter('dashboard.slug'),
    tags: tagsFilter('dashboard'),
  },
  resolvers: {
    ...auditColumns<DashboardRow>(),
    ...booleanColumns<DashboardRow>('published', 'is_managed_externally'),
    owners: ownersColumn('dashboard'),
    editors: subjectsColumn(editorLinks.dashboard),
    viewers: subjectsColumn(viewerLinks.dashboard),
    roles,
    charts,
    theme,
    tags: tagsColumn('dashboard'),
    custom_tags: customTagsColumn('dashboard'),
    status: computedColumn(({ published }) => (published === 1 ? 'published' : 'draft')),
    url: computedColumn(dashboardUrl),
    thumbnail_url: computedColumn((row) => thumbnailUrl('dashboard', row)),
  },
  related: {
    owners: relatedUsers({ withContact: true }),
    roles: roleSource,
    created_by: relatedUsers(),
    changed_by: relatedUsers(),
  },
  distinct: [],
  bodies: { add: DashboardPost, edit: DashboardPut },
}
