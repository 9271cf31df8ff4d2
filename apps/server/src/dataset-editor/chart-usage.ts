import { fieldsUsed, loadChart, createMentionMatcher, type AnyChart, type KnownNames } from '@parquetry/charts'
import type { Kysely, Selectable } from 'kysely'
import { EventLoopYielder } from '../concurrency/event-loop-yielder.ts'
import { parseObject } from '../http/json-body.ts'
import type { ChartTable, Tables } from '../store/tables.ts'

export type ChartUsageRow = Pick<
  Selectable<ChartTable>,
  'id' | 'uuid' | 'slice_name' | 'viz_type' | 'params' | 'query_context' | 'changed_on'
>

/** Columns and metrics that a chart uses from its dataset. */
export interface ChartUsage {
  row: ChartUsageRow
  chart: AnyChart | undefined
  form: Record<string, unknown>
  columns: string[]
  metrics: string[]
  /** Columns and metrics that the chart's own SQL mentions. */
  mentioned: string[]
}

/** All charts of a dataset with the names they use, regardless of who may see them. */
export async function listChartUsages(db: Kysely<Tables>, datasetId: number, known: KnownNames): Promise<ChartUsage[]> {
  const rows = await db
    .selectFrom('chart')
    .select(['id', 'uuid', 'slice_name', 'viz_type', 'params', 'query_context', 'changed_on'])
    .where('datasource_id', '=', datasetId)
    .where('datasource_type', '=', 'table')
    .orderBy('slice_name')
    .execute()
  const yielder = new EventLoopYielder()
  return Promise.all(rows.map((row) => buildChartUsage(row, known, yielder)))
}

async function buildChartUsage(row: ChartUsageRow, known: KnownNames, yielder: EventLoopYielder): Promise<ChartUsage> {
  await yielder.yieldIfDue()
  const form = parseObject(row.params)
  const chart = await loadChart(row.viz_type)
  const { columns, metrics, sql } = fieldsUsed(chart, form, known)
  return {
    row,
    chart,
    form,
    columns: columns.filter((name) => known.columns.has(name)),
    metrics: metrics.filter((name) => known.metrics.has(name)),
    mentioned: sql.length === 0 ? [] : await findMentioned(sql, [...known.columns, ...known.metrics], yielder),
  }
}

/** Names checked before yielding to the event loop. */
const namesPerStep = 100

async function findMentioned(
  sql: readonly string[],
  names: readonly string[],
  yielder: EventLoopYielder,
): Promise<string[]> {
  const isMentioned = createMentionMatcher(sql)
  const found: string[] = []
  for (let index = 0; index < names.length; index += namesPerStep) {
    await yielder.yieldIfDue()
    found.push(...names.slice(index, index + namesPerStep).filter(isMentioned))
  }
  return found
}
