import { ChartPost, ChartPut } from '@parquetry/model'
import { type Selectable, sql, type SqlBool } from 'kysely'
import { splitNames } from '../http/columns.ts'
import { favoriteFilter, isStarred } from '../http/favorites.ts'
import {
  customOperator,
  numberFilter,
  ownersFilter,
  textFilter,
  isLinkedTo,
  timeFilter,
  toManyFilter,
  toOneFilter,
  booleanOperator,
} from '../http/filters.ts'
import { and, or } from '../store/conditions.ts'
import { visibilityCondition } from '../access/access.ts'
import {
  agoColumn,
  auditColumns,
  sortByUser,
  computedColumn,
  ownersColumn,
  userColumn,
  booleanColumns,
} from '../http/column-resolvers.ts'
import { relatedUsers } from '../http/related.ts'
import { editorLinks, viewerLinks } from '../access/subject-links.ts'
import { editableFilter, subjectFilter, subjectsColumn } from '../http/subjects.ts'
import { customTagsColumn, tagsColumn, tagsFilter } from '../http/tags.ts'
import type { ColumnResolver, Resource } from '../http/resource.ts'
import { thumbnailUrl } from '../http/thumbnail.ts'
import type { ChartTable } from '../store/tables.ts'
import { anyContainsOrDataset, datasetNameFilter, datasetNameColumn, datasetTableColumn } from './chart-dataset.ts'
import { asHtml } from './description.ts'
import { buildFormData } from './form-data.ts'
import { missingReferencesColumn } from './missing-references.ts'

export type ChartRow = Selectable<ChartTable>

const ownerLink = editorLinks.chart.user
const dashboardLink = { through: 'dashboard_chart', own: 'chart_id', other: 'dashboard_id' }

/** Dashboards that the caller may see. */
const dashboards: ColumnResolver<ChartRow> = async (rows, context) => {
  // -1 matches no id and keeps the list valid SQL when the page is empty.
  const ids = rows.map(({ id }) => id).concat(-1)
  const inCharts = sql<SqlBool>`dashboard_chart.chart_id in (${sql.join(ids)})`
  const visibility = visibilityCondition('dashboard', context)
  const found = await context.db
    .selectFrom('dashboard_chart')
    .innerJoin('dashboard', 'dashboard.id', 'dashboard_id')
    .select(['chart_id', 'dashboard.id', 'dashboard_title', 'json_metadata'])
    .where(and([inCharts, ...(visibility ? [visibility] : [])]))
    .orderBy('dashboard.id')
    .execute()
  return rows.map((row) => found.filter(({ chart_id }) => chart_id === row.id))
}

export const chartUrl = (id: number): string => `/explore/?slice_id=${id}`

/** Resource definition of `/api/v1/chart/`: columns, filters and sort orders. */
export const chartResource: Resource<ChartRow> & { kind: 'chart' } = {
  kind: 'chart',
  title: 'Slice',
  view: 'Chart',
  isCached: true,
  list: {
    announced: splitNames(`
      is_managed_externally certified_by certification_details cache_timeout changed_by.first_name
      changed_by.last_name changed_by_name changed_by_url changed_on_delta_humanized changed_on_utc
      created_by.first_name created_by.id created_by.last_name created_on_delta_humanized datasource_id
      datasource_name_text datasource_type datasource_url description description_markeddown edit_url id
      last_saved_at last_saved_by.id last_saved_by.first_name last_saved_by.last_name owners.first_name
      owners.id owners.last_name dashboards.id dashboards.dashboard_title params slice_name
      table.default_endpoint table.table_name thumbnail_url url viz_type
    `),
    unannounced: splitNames(`
      uuid slice_url form_data tags custom_tags changed_on lost_names editors.id editors.label editors.type
      viewers.id viewers.label viewers.type
    `),
  },
  show: {
    announced: splitNames(`
      cache_timeout certified_by certification_details changed_on_delta_humanized dashboards.dashboard_title
      dashboards.id dashboards.json_metadata description id owners.first_name owners.id owners.last_name
      dashboards.id dashboards.dashboard_title params slice_name thumbnail_url url viz_type query_context
      is_managed_externally
    `),
    unannounced: splitNames(`
      editors.id editors.label editors.type viewers.id viewers.label viewers.type
      uuid datasource_id datasource_type datasource_name_text datasource_url changed_on tags owners.username
      form_data
    `),
  },
  order: {
    'changed_by.first_name': sortByUser('chart.changed_by_fk', 'first_name'),
    changed_on_delta_humanized: 'chart.changed_on',
    datasource_id: 'chart.datasource_id',
    datasource_name: 'chart.datasource_name',
    last_saved_at: 'chart.last_saved_at',
    'last_saved_by.id': 'chart.last_saved_by_fk',
    'last_saved_by.first_name': sortByUser('chart.last_saved_by_fk', 'first_name'),
    'last_saved_by.last_name': sortByUser('chart.last_saved_by_fk', 'last_name'),
    slice_name: 'chart.slice_name',
    viz_type: 'chart.viz_type',
  },
  defaultOrder: ['changed_on_delta_humanized', 'desc'],
  filters: {
    changed_by: toOneFilter('chart.changed_by_fk', 'user'),
    created_by: [
      ...toOneFilter('chart.created_by_fk', 'user'),
      booleanOperator('chart_has_created_by', 'Has created by', () => sql<SqlBool>`chart.created_by_fk is not null`),
      customOperator(
        'chart_created_by_me',
        'Created by me',
        (_, { principal }) => sql<SqlBool>`chart.created_by_fk = ${principal.id ?? -1}`,
      ),
    ],
    dashboards: toManyFilter('chart', 'dashboard', dashboardLink),
    datasource_id: numberFilter('chart.datasource_id'),
    datasource_name: datasetNameFilter(textFilter('chart.datasource_name')),
    datasource_type: textFilter('chart.datasource_type'),
    description: textFilter('chart.description'),
    id: [
      ...numberFilter('chart.id'),
      ...favoriteFilter('chart'),
      ...editableFilter('chart', ['can_write', 'Chart']),
      booleanOperator('chart_is_certified', 'Is certified', () => sql<SqlBool>`coalesce(chart.certified_by, '') <> ''`),
      { ...ownedCreatedFavored(), unannounced: true },
    ],
    uuid: textFilter('chart.uuid').map((operator) => ({ ...operator, unannounced: true as const })),
    last_saved_at: timeFilter('chart.last_saved_at'),
    last_saved_by: toOneFilter('chart.last_saved_by_fk', 'user'),
    owners: ownersFilter('chart', ownerLink),
    editors: subjectFilter('chart', editorLinks.chart),
    viewers: subjectFilter('chart', viewerLinks.chart),
    slice_name: [
      ...textFilter('chart.slice_name'),
      anyContainsOrDataset('chart_all_text', 'All Text', ['chart.slice_name', 'chart.description', 'chart.viz_type']),
    ],
    viz_type: textFilter('chart.viz_type'),
    tags: tagsFilter('chart'),
  },
  resolvers: {
    ...auditColumns<ChartRow>(),
    ...booleanColumns<ChartRow>('is_managed_externally'),
    owners: ownersColumn('chart'),
    editors: subjectsColumn(editorLinks.chart),
    viewers: subjectsColumn(viewerLinks.chart),
    last_saved_by: userColumn('last_saved_by_fk'),
    last_saved_delta_humanized: agoColumn('last_saved_at'),
    dashboards,
    table: datasetTableColumn,
    tags: tagsColumn('chart'),
    custom_tags: customTagsColumn('chart'),
    datasource_name_text: datasetNameColumn,
    datasource_url: computedColumn(
      ({ datasource_type, datasource_id }) =>
        `/explore/?datasource_type=${datasource_type}&datasource_id=${datasource_id}`,
    ),
    description_markeddown: computedColumn(({ description }) => asHtml(description)),
    edit_url: computedColumn(({ id }) => `/chart/edit/${id}`),
    url: computedColumn(({ id }) => chartUrl(id)),
    slice_url: computedColumn(({ id }) => chartUrl(id)),
    thumbnail_url: computedColumn((row) => thumbnailUrl('chart', row)),
    form_data: computedColumn(buildFormData),
    lost_names: missingReferencesColumn,
  },
  related: { owners: relatedUsers({ withContact: true }), created_by: relatedUsers(), changed_by: relatedUsers() },
  distinct: [],
  laterPermissions: ['can_tag'],
  bodies: { add: ChartPost, edit: ChartPut },
}

function ownedCreatedFavored() {
  return booleanOperator('chart_owned_created_favored_by_me', 'Owned Created or Favored', ({ principal }) =>
    or([
      isLinkedTo('chart', ownerLink, principal.id ?? -1),
      sql<SqlBool>`chart.created_by_fk = ${principal.id ?? -1}`,
      isStarred('chart', principal),
    ]),
  )
}
