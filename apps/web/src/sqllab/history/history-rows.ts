import type { RowOf } from '../../shared/use-resource.ts'
import type { Query } from '../state.ts'
import { computeDuration } from '../results/result-facts.ts'

/** A run in the history, from this tab or from the server's list. */
export interface HistoryRow {
  /** The client id. */
  id: string
  sql: string
  state: string
  startedMs: number
  /** Null while it runs. */
  ms: number | null
  rows: number | null
  tabName: string
  dbId: number | null
  database: string | null
  catalog: string | null
  schema: string | null
  errorMessage: string | null
  /** The run of this tab; null for runs of other tabs and earlier sessions. */
  query: Query | null
}

export const queryToHistoryRow = (query: Query): HistoryRow => ({
  id: query.id,
  sql: query.sql,
  state: query.state,
  startedMs: query.startDttm,
  ms: computeDuration(query),
  rows: query.rows,
  tabName: query.tab,
  dbId: query.dbId,
  database: query.view?.db ?? null,
  catalog: query.catalog,
  schema: query.schema,
  errorMessage: query.error?.message ?? null,
  query,
})

/** Columns fetched for the runs of all tabs. */
export const listedColumns = [
  'id',
  'client_id',
  'sql',
  'status',
  'database.id',
  'database.database_name',
  'schema',
  'start_time',
  'end_time',
  'rows',
  'tab_name',
  'error_message',
] as const

/** A row of `GET /api/v1/query/`. Times are milliseconds since 1970, as numbers or text. */
export type ListedRun = RowOf<'query', typeof listedColumns>

export const listedRunToHistoryRow = (listed: ListedRun, own: readonly Query[]): HistoryRow => {
  const query = own.find(({ id }) => id === listed.client_id) ?? null
  const start = Number(listed.start_time ?? 0)
  return {
    id: listed.client_id ?? `listed-${listed.id}`,
    sql: listed.sql ?? '',
    state: query?.state ?? listed.status,
    startedMs: start,
    ms: listed.end_time === null ? null : Number(listed.end_time) - start,
    rows: listed.rows,
    tabName: listed.tab_name ?? '',
    dbId: listed.database?.id ?? null,
    database: listed.database?.database_name ?? null,
    catalog: null,
    schema: listed.schema,
    errorMessage: listed.error_message ?? null,
    query,
  }
}

/** Rows whose SQL, tab or database contains the search text, ignoring case. */
export function filterHistoryRows(rows: readonly HistoryRow[], search: string): HistoryRow[] {
  const needle = search.trim().toLowerCase()
  if (needle === '') return [...rows]
  return rows.filter(({ sql, tabName, database }) =>
    [sql, tabName, database].some((text) => text?.toLowerCase().includes(needle)),
  )
}

export const collapseWhitespace = (sql: string): string => sql.replaceAll(/\s+/g, ' ').trim()
