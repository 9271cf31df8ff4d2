import { loadChart, findMissingReferences } from '@parquetry/charts'
import type { MissingReference } from '@parquetry/model'
import { canReadData } from '../access/access.ts'
import { readDataset } from '../dataset/stored-dataset.ts'
import { loadMissingReferences, findDatasetsWithNameChanges } from '../dataset/missing-references.ts'
import { parseObject } from '../http/json-body.ts'
import type { ColumnResolver, ReadContext } from '../http/resource.ts'
import type { ChartRow } from './chart-resource.ts'

/** Names that a chart uses and that its dataset no longer has; empty when the caller may not read the dataset. */
export const missingReferencesColumn: ColumnResolver<ChartRow> = async (rows, context) => {
  const tableCharts = rows.filter(({ datasource_type }) => datasource_type === 'table')
  const ids = await findDatasetsWithNameChanges(
    context.db,
    tableCharts.map(({ datasource_id }) => datasource_id),
  )
  const missingByDataset = new Map(
    await Promise.all(ids.map(async (id) => [id, await readMissingReferences(id, context)] as const)),
  )
  return Promise.all(
    rows.map(async ({ datasource_id, datasource_type, viz_type, params }) => {
      const names = datasource_type === 'table' ? (missingByDataset.get(datasource_id) ?? []) : []
      return names.length === 0 ? [] : findMissingReferences(await loadChart(viz_type), parseObject(params), names)
    }),
  )
}

async function readMissingReferences(id: number, context: ReadContext): Promise<MissingReference[]> {
  if (!(await canReadData(context, id))) return []
  const stored = await readDataset(context.db, id)
  return stored ? loadMissingReferences(context.db, stored) : []
}
