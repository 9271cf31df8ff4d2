import type { VersionedKind, PermissionPair } from '@parquetry/model'
import type { VersionedRow } from './version-rows.ts'
import type { ObjectKind } from '../access/access.ts'
import { chartResource } from '../chart/chart-resource.ts'
import { dashboardResource } from '../dashboard/dashboard-resource.ts'
import { datasetResource } from '../dataset/dataset-resource.ts'
import { visibleRow } from '../http/resource.ts'
import { authorizeChange, type WriteContext } from '../http/writing.ts'

const resources = { dashboard: dashboardResource, chart: chartResource, dataset: datasetResource }

/** Permission required to change an object of each kind. */
export const writePair: Record<VersionedKind, PermissionPair> = {
  dashboard: ['can_write', 'Dashboard'],
  chart: ['can_write', 'Chart'],
  dataset: ['can_write', 'Dataset'],
}

/** Returns the object whose history is requested, by id or uuid. @throws AppError `not_found`, `missing_ownership` */
export async function changeableRow(
  context: Omit<WriteContext, 'event'>,
  kind: VersionedKind,
  id: number | string,
): Promise<VersionedRow> {
  const row = await visibleRow<VersionedRow>(resources[kind] as { kind: ObjectKind }, id, context)
  await authorizeChange(context, writePair[kind], { kind, id: row.id })
  return row
}
