import { AppError, type DrillInfo } from '@parquetry/model'
import { canReadData } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { readShownCharts } from '../chart/viewer-queries/authorize-viewer-query.ts'
import { listDrillColumns } from '../chart/viewer-queries/drilled-query.ts'
import { readDatasetObject } from '../dataset/dataset-object.ts'
import { plannerDataset, readDataset, type StoredDataset } from '../dataset/stored-dataset.ts'
import { readViewerRules } from '../settings/viewer-rules.ts'

/**
 * Returns the groupable columns of a dataset, with the names and formats needed to display them. Viewers of a dashboard without
 * access to the dataset get only the columns by which its charts can be drilled.
 */
export async function readDrillInfo(
  deps: ChartDeps,
  principal: Principal,
  id: number,
  dashboardId: number | null,
): Promise<DrillInfo> {
  const { db, settings } = deps
  const access = { db, principal, ...readViewerRules(settings) }
  const via = dashboardId === null ? null : { dashboardId, sliceId: null }
  const stored = (await canReadData(access, id, via)) ? await readDataset(db, id) : undefined
  if (!stored) throw new AppError('not_found')
  const object = await readDatasetObject(db, stored)
  const isOpen = await canReadData(access, id)
  const drillColumns = isOpen || !via ? null : await listDashboardDrillColumns(deps, stored, via)
  const creator = await db
    .selectFrom('user')
    .select(['id', 'first_name', 'last_name'])
    .where('id', '=', stored.row.created_by_fk)
    .executeTakeFirst()
  const { table_name, columns, metrics, main_dttm_col, verbose_map, time_grain_sqla, owners } = object
  return {
    id,
    table_name,
    columns: columns.filter(({ groupby, column_name }) => groupby && (drillColumns?.has(column_name) ?? true)),
    metrics: drillColumns ? [] : metrics,
    main_dttm_col,
    verbose_map: drillColumns ? pickNames(verbose_map, drillColumns) : verbose_map,
    column_formats: drillColumns ? {} : object.column_formats,
    currency_formats: drillColumns ? {} : object.currency_formats,
    time_grain_sqla,
    created_by: creator ?? null,
    owners: owners.map(({ id: owner, first_name, last_name }) => ({ id: owner, first_name, last_name })),
  }
}

async function listDashboardDrillColumns(
  deps: ChartDeps,
  stored: StoredDataset,
  via: { dashboardId: number; sliceId: null },
): Promise<ReadonlySet<string>> {
  const charts = [...(await readShownCharts(deps, via)).values()]
  const { columns } = plannerDataset(stored)
  const own = charts.filter(({ chart }) => chart.datasource_id === stored.row.id)
  return new Set(own.flatMap((shown) => listDrillColumns(shown, columns)))
}

const pickNames = <T>(record: Record<string, T>, names: ReadonlySet<string>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => names.has(name)))
