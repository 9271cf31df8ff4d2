import { fieldsUsed, loadChart, mentions, type AnyChart, type KnownNames } from '@parquetry/charts'
import type { Kysely, Selectable } from 'kysely'
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

/** A stored JSON object; whatever else the text is says nothing. */
export function objectIn(text: string | null): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(text || '{}')
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Record<string, unknown>) : {}
  } catch {
    return {}
  }
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
  return Promise.all(rows.map((row) => useOf(row, known)))
}

async function useOf(row: UsingRow, known: KnownNames): Promise<ChartUse> {
  const form = objectIn(row.params)
  const chart = await loadChart(row.viz_type)
  const { columns, metrics, sql } = fieldsUsed(chart, form, known)
  const all = [...known.columns, ...known.metrics]
  return {
    row,
    chart,
    form,
    columns: columns.filter((name) => known.columns.has(name)),
    metrics: metrics.filter((name) => known.metrics.has(name)),
    mentioned: sql.length === 0 ? [] : all.filter((name) => sql.some((text) => mentions(text, name))),
  }
}
