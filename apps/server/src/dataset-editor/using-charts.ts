import { fieldsUsed, loadChart, mentionsIn, type AnyChart, type KnownNames } from '@parquetry/charts'
import type { Kysely, Selectable } from 'kysely'
import { Rests } from '../concurrency/rests.ts'
import { objectIn } from '../http/json-body.ts'
import type { ChartTable, Tables } from '../store/tables.ts'

export type UsingRow = Pick<
  Selectable<ChartTable>,
  'id' | 'uuid' | 'slice_name' | 'viz_type' | 'params' | 'query_context' | 'changed_on'
>

/** What one chart takes of the dataset that it reads. */
export interface ChartUse {
  row: UsingRow
  chart: AnyChart | undefined
  form: Record<string, unknown>
  columns: string[]
  metrics: string[]
  /** Columns and metrics that its own SQL mentions. */
  mentioned: string[]
}

/** All charts on a dataset with what they name of it, whoever may see them. */
export async function usingCharts(db: Kysely<Tables>, datasetId: number, known: KnownNames): Promise<ChartUse[]> {
  const rows = await db
    .selectFrom('chart')
    .select(['id', 'uuid', 'slice_name', 'viz_type', 'params', 'query_context', 'changed_on'])
    .where('datasource_id', '=', datasetId)
    .where('datasource_type', '=', 'table')
    .orderBy('slice_name')
    .execute()
  const rests = new Rests()
  return Promise.all(rows.map((row) => useOf(row, known, rests)))
}

async function useOf(row: UsingRow, known: KnownNames, rests: Rests): Promise<ChartUse> {
  await rests.rest()
  const form = objectIn(row.params)
  const chart = await loadChart(row.viz_type)
  const { columns, metrics, sql } = fieldsUsed(chart, form, known)
  return {
    row,
    chart,
    form,
    columns: columns.filter((name) => known.columns.has(name)),
    metrics: metrics.filter((name) => known.metrics.has(name)),
    mentioned: sql.length === 0 ? [] : await mentionedIn(sql, [...known.columns, ...known.metrics], rests),
  }
}

/** Names between two rests. */
const namesAtOnce = 100

async function mentionedIn(sql: readonly string[], names: readonly string[], rests: Rests): Promise<string[]> {
  const isMentioned = mentionsIn(sql)
  const found: string[] = []
  for (let at = 0; at < names.length; at += namesAtOnce) {
    await rests.rest()
    found.push(...names.slice(at, at + namesAtOnce).filter(isMentioned))
  }
  return found
}
