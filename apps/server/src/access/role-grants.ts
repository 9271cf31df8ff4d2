import { AppError, message, type NativeFilter, subjectId } from '@parquetry/model'
import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'
import { datasetAccess, parseNativeFilters } from './access.ts'
import { findDatasetsOf, hashQueries, listLayerCharts, missingDataset } from './chart-grants.ts'
import { listFilterGrants } from './filter-grants.ts'
import { lacksAccess } from './grant-keys.ts'
import type { Principal } from './principal.ts'

/** Access that a dashboard gives to its roles and viewers: queries of a chart or values of a filter -> its dataset. */
type RoleGrants = ReadonlyMap<string, number>

/** Properties of a filter that determine the values it offers; `isFilterValuesQuery` reads the same. */
const filterOptionsKey = ({
  filterType,
  targets,
  adhoc_filters,
  sortMetric,
  time_range,
  granularity_sqla,
}: NativeFilter): unknown => [filterType, targets, adhoc_filters, sortMetric, time_range, granularity_sqla]

/**
 * Returns the access that dashboards give to the roles, groups and users with whom they are shared; empty for principals who may read all
 * data anyway.
 */
export async function findRoleGrants(
  db: Kysely<Tables>,
  principal: Principal,
  dashboards: readonly number[],
): Promise<RoleGrants> {
  const grants = new Map<string, number>()
  if (dashboards.length === 0 || !datasetAccess(principal)) return grants
  const ids = [...new Set(dashboards)]
  const [roles, viewers, groups, charts, documents] = await Promise.all([
    db.selectFrom('dashboard_role').select(['dashboard_id', 'role_id']).where('dashboard_id', 'in', ids).execute(),
    db.selectFrom('dashboard_viewer').select(['dashboard_id', 'user_id']).where('dashboard_id', 'in', ids).execute(),
    db
      .selectFrom('dashboard_viewer_group')
      .select(['dashboard_id', 'group_id'])
      .where('dashboard_id', 'in', ids)
      .execute(),
    db
      .selectFrom('dashboard_chart')
      .innerJoin('chart', 'chart.id', 'chart_id')
      .select(['dashboard_id', 'chart.id', 'datasource_id', 'viz_type', 'params', 'query_context'])
      .where('dashboard_id', 'in', ids)
      .execute(),
    db.selectFrom('dashboard').select(['id', 'position_json', 'json_metadata']).where('id', 'in', ids).execute(),
  ])
  const subjects = [
    ...roles.map(({ dashboard_id, role_id }) => ({ dashboard_id, subject: subjectId('role', role_id) })),
    ...viewers.map(({ dashboard_id, user_id }) => ({ dashboard_id, subject: subjectId('user', user_id) })),
    ...groups.map(({ dashboard_id, group_id }) => ({ dashboard_id, subject: subjectId('group', group_id) })),
  ]
  const queries = new Map(charts.map((chart) => [chart, hashQueries(chart)]))
  const layers = new Map(charts.map((chart) => [chart, listLayerCharts(chart)]))
  const layerDatasets = await findDatasetsOf(
    db,
    [...layers.values()].flat().map(({ id }) => id),
  )
  for (const { dashboard_id, subject } of subjects) {
    const filters = parseNativeFilters(documents.find(({ id }) => id === dashboard_id)?.json_metadata ?? null)
    // Viewers may filter the charts and the values of filters by these columns.
    const filterColumns = filters.flatMap(({ targets = [] }) => targets.map((target) => target?.column?.name))
    const grantee = [dashboard_id, subject, filterColumns]
    for (const chart of charts) {
      if (chart.dashboard_id !== dashboard_id) continue
      grants.set(JSON.stringify([...grantee, chart.datasource_id, queries.get(chart)]), chart.datasource_id)
      for (const { id, key } of layers.get(chart) ?? [])
        grants.set(
          JSON.stringify([dashboard_id, subject, chart.id, 'layer', id, key]),
          layerDatasets.get(id) ?? missingDataset,
        )
    }
    for (const filter of filters)
      for (const dataset of (filter.targets ?? []).map((target) => target?.datasetId))
        if (dataset !== undefined) grants.set(JSON.stringify([...grantee, dataset, filterOptionsKey(filter)]), dataset)
  }
  // New roles and viewers need access to the charts anyway, so that these keys are the same for all of them.
  for (const stored of documents) {
    if (!subjects.some(({ dashboard_id }) => dashboard_id === stored.id)) continue
    const shown = charts.filter(({ dashboard_id }) => dashboard_id === stored.id)
    for (const [key, dataset] of listFilterGrants(stored, shown)) grants.set(JSON.stringify([stored.id, key]), dataset)
  }
  return grants
}

/**
 * Prevents users from opening data to others that they may not read themselves: adding a chart or filter to a dashboard with
 * roles or viewers, widening the scope of a filter, or adding one of those to a dashboard, requires access to the data. Existing access is unaffected.
 * @param before  access before the change, read in the same transaction
 * @throws AppError `unprocessable`, also for missing data
 */
export async function authorizeRoleGrants(
  db: Kysely<Tables>,
  principal: Principal,
  dashboards: readonly number[],
  before: RoleGrants,
): Promise<void> {
  if (!datasetAccess(principal)) return
  const after = await findRoleGrants(db, principal, dashboards)
  const datasets = [...after].filter(([item]) => !before.has(item)).map(([, dataset]) => dataset)
  if (await lacksAccess(db, principal, datasets))
    throw new AppError('unprocessable', {
      message: message(
        'errors.access.opensData',
        'Sharing a dashboard gives access to its data, and you do not have access to all of it. Ask for access to the data first.',
      ),
    })
}

/** @throws AppError `forbidden` unless the principal may change which data a role can read */
export function authorizeRoleData({ isAdmin }: Principal): void {
  if (!isAdmin)
    throw new AppError('forbidden', {
      message: message('errors.sharing.roleData', 'Only an administrator can change which data a role can read.'),
    })
}
