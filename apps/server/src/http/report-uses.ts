import { message } from '@parquetry/model'
import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'
import { parseObject } from './json-body.ts'
import { unprocessable } from './writing.ts'

type Used = 'chart' | 'dashboard' | 'database' | 'dataset'

/** Names of the alerts whose condition is a metric of one of these datasets. */
async function listAlertsOnMetrics(db: Kysely<Tables>, datasetIds: readonly number[]): Promise<string[]> {
  const alerts = await db
    .selectFrom('report')
    .select(['name', 'extra_json'])
    .where('type', '=', 'Alert')
    .where('extra_json', 'like', '%"metric"%')
    .execute()
  return alerts
    .filter(({ extra_json }) => {
      const { parquetry } = parseObject(extra_json) as { parquetry?: { metric?: { dataset?: unknown } } }
      return datasetIds.includes(Number(parquetry?.metric?.dataset))
    })
    .map(({ name }) => name)
}

/** @throws AppError `unprocessable` naming the alerts and reports that use one of these objects */
export async function refuseUsedByReports(
  { db }: { db: Kysely<Tables> },
  kind: Used,
  rows: readonly { id: number }[],
): Promise<void> {
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return
  const names =
    kind === 'dataset'
      ? await listAlertsOnMetrics(db, ids)
      : (await db.selectFrom('report').select('name').where(`${kind}_id`, 'in', ids).execute()).map(({ name }) => name)
  if (names.length === 0) return
  throw unprocessable(
    message('errors.report.inUse', 'There are associated alerts or reports: {names}', {
      names: names.toSorted().join(','),
    }),
  )
}
