import { concat, frameOf, type Frame, type MessageHead } from '@parquetry/frame'
import type { ExecuteAnswer, ExecuteHead, QueryView, WireError } from '@parquetry/model'
import { api, send } from '../../shared/api.ts'
import { ApiError } from '../../shared/errors.ts'
import { framesType, messagesOf } from '../../shared/message-stream.ts'
import type { Query } from '../state.ts'
import { readAnswer } from './read-answer.ts'

export interface Result {
  answer: ExecuteAnswer
  frame: Frame
}

/** What the server may say to a run: its rows, or that it goes on behind. */
export type Executed = Result | { query: QueryView }

export async function execute(
  query: Query,
  { editorId, signal, onRows }: { editorId: string; signal: AbortSignal; onRows(rows: number): void },
): Promise<Executed> {
  const response = await send('POST', '/api/v1/sqllab/execute/', {
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

/** The kept rows of a finished run (SQL-061). */
export async function fetchResults(key: string, signal: AbortSignal, onRows: (rows: number) => void): Promise<Result> {
  const response = await send('GET', '/api/v1/sqllab/results/', { q: { key }, signal, accept: framesType })
  const read = await readResponse(response, onRows)
  if ('frame' in read) return read
  throw new ApiError(0, 'Network error.')
}

export const stopQuery = async (clientId: string): Promise<unknown> =>
  api.post('/api/v1/query/stop', { body: { client_id: clientId } })

export const updatedSince = async (ms: number, signal: AbortSignal): Promise<QueryView[]> =>
  (
    await api.get<{ result: QueryView[] }>('/api/v1/query/updated_since', {
      q: { last_updated_ms: Math.max(0, ms) },
      signal,
      quiet: true,
    })
  ).result

async function readResponse(response: Response, onRows: (rows: number) => void): Promise<Executed> {
  if (!response.headers.get('content-type')?.startsWith(framesType)) return readAnswer(await response.text())
  const frames: Frame[] = []
  let rows = 0
  let answer: ExecuteAnswer | undefined
  for await (const { head, frame } of messagesOf(response)) {
    if (frame) {
      frames.push(frame)
      onRows((rows += frame.rows))
    }
    if (head.type === 'answer') answer = (head as MessageHead & ExecuteHead).answer
    if (head.type === 'error') throw wireError((head as MessageHead & { error: WireError }).error)
  }
  if (!answer) throw new ApiError(0, 'Network error.')
  return { answer, frame: frames.length > 0 ? concat(frames) : frameOf({}) }
}

const wireError = ({ message, details }: WireError): ApiError =>
  new ApiError(400, message, [{ message, error_type: 'GENERIC_DB_ENGINE_ERROR', level: 'error', extra: details }])

export const runnerCalls = { execute, fetchResults, stopQuery, updatedSince }
export type RunnerCalls = typeof runnerCalls
