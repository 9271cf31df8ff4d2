import type { ColumnFacts, DatasetFacts, TableFacts } from '@parquetry/charts'
import type { DatasetObject } from '@parquetry/model'
import { api } from '../api.ts'
import { readTimeSpan } from '../time-span-query.ts'

type Dataset = DatasetFacts & Pick<DatasetObject, 'id' | 'type'>

/** More columns would slow the query down, and the hundredth column is rarely worth a chart. */
const maxColumns = 40
const timeoutMs = 5000

const profiledColumns = ({ columns }: Dataset) => columns.slice(0, maxColumns)

/** Query for one row in one pass: the row count, and the fill level and contents of each column. */
export function buildFactsQuery(dataset: Dataset): object {
  const metric = (aggregate: string, column_name: string, label: string) => ({
    expressionType: 'SIMPLE',
    column: { column_name },
    aggregate,
    label,
  })
  const metrics = profiledColumns(dataset).flatMap(({ column_name, is_dttm }, index) => [
    metric('COUNT', column_name, `filled ${index}`),
    ...(is_dttm ? [metric('MIN', column_name, `from ${index}`), metric('MAX', column_name, `to ${index}`)] : []),
    metric('COUNT_DISTINCT', column_name, `distinct ${index}`),
  ])
  return {
    datasource: { id: dataset.id, type: dataset.type },
    force: false,
    queries: [
      {
        columns: [],
        metrics: [{ expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'rows' }, ...metrics],
        filters: [],
        extras: {},
        row_limit: 1,
      },
    ],
    result_format: 'json',
    result_type: 'full',
  }
}

export function readTableFacts(dataset: Dataset, row: Record<string, unknown> | undefined): TableFacts | null {
  if (!row) return null
  const columns = profiledColumns(dataset).map(({ column_name, is_dttm }, index): [string, ColumnFacts] => {
    const filled = Number(row[`filled ${index}`] ?? 0)
    const distinct = Number(row[`distinct ${index}`] ?? 0)
    const span = () => readTimeSpan({ from: row[`from ${index}`], to: row[`to ${index}`], distinct })
    return [column_name, is_dttm ? { filled, span: span() } : { filled, distinct }]
  })
  return { rows: Number(row['rows'] ?? 0), columns: Object.fromEntries(columns) }
}

/** Fetches facts about the columns from the data; null when the response is slower than a suggestion may wait. */
export async function fetchTableFacts(dataset: Dataset, signal?: AbortSignal): Promise<TableFacts | null> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const { result } = await api.post('/api/v1/chart/data', {
      body: buildFactsQuery(dataset),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    return readTableFacts(dataset, result[0]?.data?.[0])
  } catch {
    return null
  }
}
