import { AppError, type DrillInfo } from '@parquetry/model'
import { canReadData } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { readDatasetObject } from '../dataset/dataset-object.ts'
import { readDataset } from '../dataset/stored-dataset.ts'
import { readViewerRules } from '../settings/viewer-rules.ts'

/**
 * Returns the groupable columns of a dataset, with the names and formats needed to display them. Viewers of a
 * dashboard without access to the dataset cannot drill, and get no columns.
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
  const creator = await db
    .selectFrom('user')
    .select(['id', 'first_name', 'last_name'])
    .where('id', '=', stored.row.created_by_fk)
    .executeTakeFirst()
  const { table_name, columns, metrics, main_dttm_col, verbose_map, time_grain_sqla, owners } = object
  return {
    id,
    table_name,
    can_drill: isOpen,
    columns: isOpen ? columns.filter(({ groupby }) => groupby) : [],
    metrics: isOpen ? metrics : [],
    main_dttm_col,
    verbose_map: isOpen ? verbose_map : {},
    column_formats: isOpen ? object.column_formats : {},
    currency_formats: isOpen ? object.currency_formats : {},
    time_grain_sqla,
    created_by: creator ?? null,
    owners: owners.map(({ id: owner, first_name, last_name }) => ({ id: owner, first_name, last_name })),
  }
}
