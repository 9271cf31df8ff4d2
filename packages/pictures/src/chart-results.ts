import { concat, buildFrame, createMessageReader, type Frame } from '@parquetry/frame'
import type { AnnotationResults, DashboardStreamHead, QueryHead } from '@parquetry/model'

/** Results of one chart. */
export interface ChartDataResult {
  /** By query name. */
  frames: Record<string, Frame>
  /** End of the data on the time axis. */
  until: number | null
  annotations: AnnotationResults
  /** True if the row limit of a query cut its rows. */
  isTruncated: boolean
  /** When its oldest result was queried, in milliseconds; null for results of now. */
  readAt: number | null
  /** Message when there is no result. */
  error: string | null
}

/** Returns the results in a stream of messages, by chart. @see packages/model/src/dashboard-stream.ts */
export function readChartResults(messages: Uint8Array): Map<number, ChartDataResult> {
  const answers = new Map<number, ChartDataResult>()
  const parts: { head: QueryHead; frames: Frame[] }[] = []
  const of = (chart: number): ChartDataResult => {
    const answer = answers.get(chart) ?? {
      frames: {},
      until: null,
      annotations: { data: {}, errors: {} },
      isTruncated: false,
      readAt: null,
      error: null,
    }
    answers.set(chart, answer)
    return answer
  }
  for (const { head, frame } of createMessageReader().push(messages)) {
    const message = head as unknown as DashboardStreamHead
    if (message.type === 'error' && message.chart !== undefined) of(message.chart).error = message.error.message
    if (message.type === 'frame' && message.chart !== undefined) parts.push({ head: message, frames: [] })
    if (frame) parts.at(-1)?.frames.push(frame)
  }
  for (const { head, frames } of parts) {
    const answer = of(head.chart)
    answer.frames[head.name] =
      frames.length > 0
        ? concat(frames)
        : buildFrame(Object.fromEntries(head.header.columns.map(({ name }) => [name, []])))
    answer.until ??= head.until ?? null
    const readAt = typeof head.cached_dttm === 'string' ? Date.parse(`${head.cached_dttm.replace(/Z$/, '')}Z`) : NaN
    if (!Number.isNaN(readAt)) answer.readAt = Math.min(answer.readAt ?? readAt, readAt)
    answer.isTruncated ||= head.header.truncated
    if (head.annotations) answer.annotations = head.annotations
  }
  return answers
}
