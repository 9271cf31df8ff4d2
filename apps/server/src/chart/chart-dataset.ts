import { sql, type SqlBool } from 'kysely'
import { datasetAccess, readableDatasets } from '../access/access.ts'
import { resolveEndpoint } from '../dataset/dataset-resource.ts'
import { anyContains, type Filter, type Operator } from '../http/filters.ts'
import type { ColumnResolver, ReadContext } from '../http/resource.ts'
import { and, type Condition, or } from '../store/conditions.ts'
import type { ChartRow } from './chart-resource.ts'

/*
 * Owners can open their chart even when they may no longer read its dataset. The chart then reveals nothing about the dataset:
 * neither its name, which follows a rename, nor through a search for it.
 */

/** Condition on `chart`: the dataset is readable. Undefined: any. */
function readableDatasetCondition({ principal }: Pick<ReadContext, 'principal'>): Condition | undefined {
  const access = datasetAccess(principal)
  return access && sql<SqlBool>`chart.datasource_id in (${readableDatasets(access)})`
}

/** Datasets of these charts that the caller may read. */
async function fetchReadableDatasets(rows: readonly ChartRow[], { db, principal }: ReadContext) {
  const access = datasetAccess(principal)
  const found = await db
    .selectFrom('dataset')
    .select(['id', 'table_name', 'default_endpoint'])
    .where('id', 'in', [...new Set(rows.map(({ datasource_id }) => datasource_id))].concat(-1))
    .$if(access !== undefined, (query) => query.where(access!))
    .execute()
  return new Map(found.map((dataset) => [dataset.id, { ...dataset, default_endpoint: resolveEndpoint(dataset) }]))
}

export const datasetTableColumn: ColumnResolver<ChartRow> = async (rows, context) => {
  const byId = await fetchReadableDatasets(rows, context)
  return rows.map(({ datasource_id }) => byId.get(datasource_id) ?? null)
}

/** The name of a deleted dataset remains visible to users who may read all data. */
export const datasetNameColumn: ColumnResolver<ChartRow> = async (rows, context) => {
  if (datasetAccess(context.principal) === undefined) return rows.map(({ datasource_name }) => datasource_name)
  const byId = await fetchReadableDatasets(rows, context)
  return rows.map(({ datasource_id, datasource_name }) => (byId.has(datasource_id) ? datasource_name : null))
}

const onReadableDatasets = (operator: Operator): Operator => ({
  ...operator,
  apply: async (value, context) => {
    const [condition, access] = [await operator.apply(value, context), readableDatasetCondition(context)]
    return condition && access ? and([condition, access]) : condition
  },
})

/** Restricts a filter on dataset names to readable datasets. */
export const datasetNameFilter = (filter: Filter): Filter => filter.map(onReadableDatasets)

/** Matches text in one of the columns, or in the name of the dataset. */
export function anyContainsOrDataset(operator: string, name: string, columns: readonly string[]): Operator {
  const columnOperator = anyContains(operator, name, columns)
  const datasetOperator = onReadableDatasets(anyContains(operator, name, ['chart.datasource_name']))
  return {
    ...columnOperator,
    apply: async (value, context) => {
      const conditions = await Promise.all([
        columnOperator.apply(value, context),
        datasetOperator.apply(value, context),
      ])
      const defined = conditions.filter((each) => each !== undefined)
      return defined.length > 0 ? or(defined) : undefined
    },
  }
}
