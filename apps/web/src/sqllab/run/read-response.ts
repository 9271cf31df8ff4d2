import { ApiError } from '@parquetry/client'
import { concat, buildFrame, type Frame, type MessageHead } from '@parquetry/frame'
import type { ExecuteMetadata, ExecuteHead, WireError } from '@parquetry/model'
import { framesType, readMessageStream } from '../../shared/message-stream.ts'
import type { ExecuteResponse } from './execute.ts'
import { parseJsonResult } from './parse-json-result.ts'

/** Interval of row count updates: each one rerenders the page and delays the rows. */
const progressIntervalMs = 250

/** Reads rows as they arrive, or JSON from servers that support nothing else. @throws ApiError for an error among the rows */
export async function readResponse(response: Response, onRows: (rows: number) => void): Promise<ExecuteResponse> {
  if (!response.headers.get('content-type')?.startsWith(framesType)) return parseJsonResult(await response.text())
  const frames: Frame[] = []
  let rows = 0
  let reportedAt = performance.now()
  let answer: ExecuteMetadata | undefined
  for await (const { head, frame } of readMessageStream(response)) {
    if (frame) {
      frames.push(frame)
      rows += frame.rows
      const now = performance.now()
      if (now - reportedAt >= progressIntervalMs) {
        reportedAt = now
        onRows(rows)
      }
    }
    if (head.type === 'answer') answer = (head as MessageHead & ExecuteHead).answer
    if (head.type === 'error') throw wireError((head as MessageHead & { error: WireError }).error)
  }
  if (!answer) throw new ApiError(0, 'Network error.')
  return { answer, frame: frames.length > 0 ? concat(frames) : buildFrame({}) }
}

const wireError = ({ message, details }: WireError): ApiError =>
  new ApiError(400, message, [{ message, error_type: 'GENERIC_DB_ENGINE_ERROR', level: 'error', extra: details }])
