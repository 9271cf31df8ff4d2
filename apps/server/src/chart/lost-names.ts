import { loadChart, lostIn } from '@parquetry/charts'
import type { LostName } from '@parquetry/model'
import { mayReadData } from '../access/access.ts'
import { readDataset } from '../dataset/describe.ts'
import { lostNames, withLostNames } from '../dataset/lost-names.ts'
import { objectIn } from '../http/json-body.ts'
import type { Head, ReadContext } from '../http/resource.ts'
import type { ChartRow } from './chart-resource.ts'

/** Names that a chart uses and that its dataset does not have any more; none of a dataset that the caller may not read. */
export const lostNamesOfCharts: Head<ChartRow> = async (rows, context) => {
  const ofTables = rows.filter(({ datasource_type }) => datasource_type === 'table')
  const ids = await withLostNames(
    context.db,
    ofTables.map(({ datasource_id }) => datasource_id),
  )
  const lost = new Map(await Promise.all(ids.map(async (id) => [id, await lostOf(id, context)] as const)))
  return Promise.all(
    rows.map(async ({ datasource_id, datasource_type, viz_type, params }) => {
      const names = datasource_type === 'table' ? (lost.get(datasource_id) ?? []) : []
      return names.length === 0 ? [] : lostIn(await loadChart(viz_type), objectIn(params), names)
    }),
  )
}

async function lostOf(id: number, context: ReadContext): Promise<LostName[]> {
  if (!(await mayReadData(context, id))) return []
  const stored = await readDataset(context.db, id)
  return stored ? lostNames(context.db, stored) : []
}
