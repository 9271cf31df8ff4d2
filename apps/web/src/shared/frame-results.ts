import { ApiError } from '@parquetry/client'
import { concat, buildFrame, type Frame } from '@parquetry/frame'
import {
  errorCodes,
  type DashboardStreamHead,
  type QueryContext,
  type QueryHead,
  type WireError,
} from '@parquetry/model'
import { api } from './api.ts'
import { framesType, readMessageStream } from './message-stream.ts'

export interface FrameResult {
  head: QueryHead
  frame: Frame
}

/** Requests chart data as frames. @throws ApiError */
export const fetchFrameResults = async (body: QueryContext, signal?: AbortSignal): Promise<FrameResult[]> =>
  readFrameResults(await api.send('POST', '/api/v1/chart/data', { body, signal, accept: framesType }))

/** Reads the queries of a response in frames, in the order of arrival. @throws ApiError */
export async function readFrameResults(response: Response): Promise<FrameResult[]> {
  const answers: { head: QueryHead; parts: Frame[] }[] = []
  for await (const { head, frame } of readMessageStream(response)) {
    const message = head as DashboardStreamHead
    if (message.type === 'error') throw toApiError(message.error)
    if (message.type === 'frame' && message.chart !== undefined) answers.push({ head: message, parts: [] })
    if (frame) answers.at(-1)?.parts.push(frame)
  }
  return answers.map(({ head, parts }) => ({ head, frame: concatFrames(head, parts) }))
}

const toApiError = ({ code, message, details }: WireError): ApiError =>
  new ApiError(errorCodes[code].status, message, [
    { message, error_type: errorCodes[code].type, level: 'error', extra: { ...details, code } },
  ])

const concatFrames = ({ header }: QueryHead, parts: Frame[]): Frame =>
  parts.length > 0 ? concat(parts) : buildFrame(Object.fromEntries(header.columns.map(({ name }) => [name, []])))
