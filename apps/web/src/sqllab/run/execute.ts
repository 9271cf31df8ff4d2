import { ApiError } from '@parquetry/client'
import type { Frame } from '@parquetry/frame'
import type { ExecuteMetadata, QueryView } from '@parquetry/model'
import { api } from '../../shared/api.ts'
import { framesType } from '../../shared/message-stream.ts'
import type { Query } from '../state.ts'
import { onQueryEnded } from './ended-queries.ts'
import { readResponse } from './read-response.ts'

export interface RunResult {
  answer: ExecuteMetadata
  frame: Frame
}

/** Response to a run: its rows, or an asynchronous run. */
export type ExecuteResponse = RunResult | { query: QueryView }

export async function execute(
  query: Query,
  { editorId, signal, onRows }: { editorId: string; signal: AbortSignal; onRows(rows: number): void },
): Promise<ExecuteResponse> {
  const response = await api.send('POST', '/api/v1/sqllab/execute/', {
    body: {
      client_id: query.id,
      database_id: query.dbId,
      sql: query.sql,
      catalog: query.catalog,
      schema: query.schema,
      queryLimit: query.queryLimit,
      sql_editor_id: editorId,
      tab: query.tab,
      runAsync: query.runAsync,
      select_as_cta: query.ctas,
      ctas_method: query.ctas_method ?? 'TABLE',
      tmp_table_name: query.tempTable ?? '',
      templateParams: query.templateParams,
    },
    signal,
    accept: framesType,
  })
  return readResponse(response, onRows)
}

/** Fetches the stored rows of a finished run (SQL-061). */
export async function fetchResults(
  key: string,
  signal: AbortSignal,
  onRows: (rows: number) => void,
): Promise<RunResult> {
  const response = await api.send('GET', '/api/v1/sqllab/results/', { q: { key }, signal, accept: framesType })
  const read = await readResponse(response, onRows)
  if ('frame' in read) return read
  throw new ApiError(0, 'Network error.')
}

export const stopQuery = async (clientId: string): Promise<unknown> =>
  api.post('/api/v1/query/stop', { body: { client_id: clientId } })

export const fetchUpdatedSince = async (ms: number, signal: AbortSignal): Promise<QueryView[]> =>
  (
    await api.get('/api/v1/query/updated_since', {
      q: { last_updated_ms: Math.max(0, ms) },
      signal,
      quiet: true,
    })
  ).result

export const queryRunnerCalls = { execute, fetchResults, stopQuery, updatedSince: fetchUpdatedSince, onQueryEnded }
export type QueryRunnerCalls = typeof queryRunnerCalls
