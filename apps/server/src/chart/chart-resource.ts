import { ChartPost, ChartPut } from '@parquetry/model'
import { type Selectable, sql, type SqlBool } from 'kysely'
import { names } from '../http/columns.ts'
import { favoriteFilter, isStarred } from '../http/favorites.ts'
import { named, notBuilt, number, ownersFilter, text, tied, time, toMany, toOne, yesNo } from '../http/filters.ts'
import { and, or } from '../store/conditions.ts'
import { visible } from '../access/access.ts'
import { agoOf, audited, byPerson, each, owners, person, truths } from '../http/heads.ts'
import { people } from '../http/related.ts'
import type { Head, Resource } from '../http/resource.ts'
import type { ChartTable } from '../store/tables.ts'
import { anyContainsOrDataset, byDatasetName, datasetNameOfChart, tableOfChart } from './dataset-of-chart.ts'
import { asHtml } from './description.ts'
import { formDataOf } from './form-data.ts'
import { lostNamesOfCharts } from './lost-names.ts'

export type ChartRow = Selectable<ChartTable>

const ownerPair = { through: 'chart_owner', own: 'chart_id', other: 'user_id' }
const dashboardPair = { through: 'dashboard_chart', own: 'chart_id', other: 'dashboard_id' }

/** Those that the caller may see. */
const dashboards: Head<ChartRow> = async (rows, context) => {
  const ids = rows.map(({ id }) => id).concat(-1)
  const among = sql<SqlBool>`dashboard_chart.chart_id in (${sql.join(ids)})`
  const seen = visible('dashboard', context)
  const found = await context.db
    .selectFrom('dashboard_chart')
    .innerJoin('dashboard', 'dashboard.id', 'dashboard_id')
    .select(['chart_id', 'dashboard.id', 'dashboard_title', 'json_metadata'])
    .where(and([among, ...(seen ? [seen] : [])]))
    .orderBy('dashboard.id')
    .execute()
  return rows.map((row) => found.filter(({ chart_id }) => chart_id === row.id))
}

export const chartUrl = (id: number): string => `/explore/?slice_id=${id}`

/** How `/api/v1/chart/` reads charts: columns, filters and orders. */
export const chartResource: Resource<ChartRow> & { kind: 'chart' } = {
  kind: 'chart',
  title: 'Slice',
  view: 'Chart',
  list: {
    announced: names(`
      is_managed_externally certified_by certification_details cache_timeout changed_by.first_name
      changed_by.last_name changed_by_name changed_by_url changed_on_delta_humanized changed_on_utc
      created_by.first_name created_by.id created_by.last_name created_on_delta_humanized datasource_id
      datasource_name_text datasource_type datasource_url description description_markeddown edit_url id
      last_saved_at last_saved_by.id last_saved_by.first_name last_saved_by.last_name owners.first_name
      owners.id owners.last_name dashboards.id dashboards.dashboard_title params slice_name
      table.default_endpoint table.table_name thumbnail_url url viz_type
    `),
    later: ['uuid', 'slice_url', 'form_data', 'tags', 'changed_on', 'lost_names'],
  },
  show: {
    announced: names(`
      cache_timeout certified_by certification_details changed_on_delta_humanized dashboards.dashboard_title
      dashboards.id dashboards.json_metadata description id owners.first_name owners.id owners.last_name
      dashboards.id dashboards.dashboard_title params slice_name thumbnail_url url viz_type query_context
      is_managed_externally
    `),
    later: names(`
      uuid datasource_id datasource_type datasource_name_text datasource_url changed_on tags owners.username
      form_data
    `),
  },
  order: {
    'changed_by.first_name': byPerson('chart.changed_by_fk', 'first_name'),
    changed_on_delta_humanized: 'chart.changed_on',
    datasource_id: 'chart.datasource_id',
    datasource_name: 'chart.datasource_name',
    last_saved_at: 'chart.last_saved_at',
    'last_saved_by.id': 'chart.last_saved_by_fk',
    'last_saved_by.first_name': byPerson('chart.last_saved_by_fk', 'first_name'),
    'last_saved_by.last_name': byPerson('chart.last_saved_by_fk', 'last_name'),
    slice_name: 'chart.slice_name',
    viz_type: 'chart.viz_type',
  },
  defaultOrder: ['changed_on_delta_humanized', 'desc'],
  filters: {
    changed_by: toOne('chart.changed_by_fk', 'user'),
    created_by: [
      ...toOne('chart.created_by_fk', 'user'),
      yesNo('chart_has_created_by', 'Has created by', () => sql<SqlBool>`chart.created_by_fk is not null`),
      named(
        'chart_created_by_me',
        'Created by me',
        (_, { principal }) => sql<SqlBool>`chart.created_by_fk = ${principal.id ?? -1}`,
      ),
    ],
    dashboards: toMany('chart', 'dashboard', dashboardPair),
    datasource_id: number('chart.datasource_id'),
    datasource_name: byDatasetName(text('chart.datasource_name')),
    datasource_type: text('chart.datasource_type'),
    description: text('chart.description'),
    id: [
      ...number('chart.id'),
      ...favoriteFilter('chart'),
      yesNo('chart_is_certified', 'Is certified', () => sql<SqlBool>`coalesce(chart.certified_by, '') <> ''`),
      { ...ownedCreatedFavored(), later: true },
    ],
    uuid: text('chart.uuid').map((operator) => ({ ...operator, later: true as const })),
    last_saved_at: time('chart.last_saved_at'),
    last_saved_by: toOne('chart.last_saved_by_fk', 'user'),
    owners: ownersFilter('chart', ownerPair),
    slice_name: [
      ...text('chart.slice_name'),
      anyContainsOrDataset('chart_all_text', 'All Text', ['chart.slice_name', 'chart.description', 'chart.viz_type']),
    ],
    viz_type: text('chart.viz_type'),
    tags: notBuilt('chart_tags', 'chart_tag_id'),
  },
  heads: {
    ...audited<ChartRow>(),
    ...truths<ChartRow>('is_managed_externally'),
    owners: owners('chart'),
    last_saved_by: person('last_saved_by_fk'),
    last_saved_delta_humanized: agoOf('last_saved_at'),
    dashboards,
    table: tableOfChart,
    tags: each(() => []),
    datasource_name_text: datasetNameOfChart,
    datasource_url: each(
      ({ datasource_type, datasource_id }) =>
        `/explore/?datasource_type=${datasource_type}&datasource_id=${datasource_id}`,
    ),
    description_markeddown: each(({ description }) => asHtml(description)),
    edit_url: each(({ id }) => `/chart/edit/${id}`),
    url: each(({ id }) => chartUrl(id)),
    slice_url: each(({ id }) => chartUrl(id)),
    thumbnail_url: each(
      ({ id, changed_on }) => `/api/v1/chart/${id}/thumbnail/${Date.parse(`${changed_on}Z`).toString(36)}/`,
    ),
    form_data: each(formDataOf),
    lost_names: lostNamesOfCharts,
  },
  related: { owners: people({ withContact: true }), created_by: people(), changed_by: people() },
  distinct: [],
  bodies: { add: ChartPost, edit: ChartPut },
}

function ownedCreatedFavored() {
  return yesNo('chart_owned_created_favored_by_me', 'Owned Created or Favored', ({ principal }) =>
    or([
      tied('chart', ownerPair, principal.id ?? -1),
      sql<SqlBool>`chart.created_by_fk = ${principal.id ?? -1}`,
      isStarred('chart', principal),
    ]),
  )
}
