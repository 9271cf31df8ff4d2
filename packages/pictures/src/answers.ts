import { concat, frameOf, readMessages, type Frame } from '@parquetry/frame'
import type { AnnotationAnswers, DashboardStreamHead, QueryHead } from '@parquetry/model'

/** What was answered for one chart. */
export interface Answer {
  /** Under the names of its queries. */
  frames: Record<string, Frame>
  /** Up to where the answers reach in time. */
  until: number | null
  annotations: AnnotationAnswers
  /** Whether the row limit of a query cut its rows. */
  isCut: boolean
  /** Why there is none, in words. */
  error: string | null
}

/** The answers of a stream of messages, by chart. @see packages/model/src/dashboard-stream.ts */
export function answersOf(messages: Uint8Array): Map<number, Answer> {
  const answers = new Map<number, Answer>()
  const parts: { head: QueryHead; frames: Frame[] }[] = []
  const of = (chart: number): Answer => {
    const answer = answers.get(chart) ?? {
      frames: {},
      until: null,
      annotations: { data: {}, errors: {} },
      isCut: false,
      error: null,
    }
    answers.set(chart, answer)
    return answer
  }
  for (const { head, frame } of readMessages().push(messages)) {
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
        : frameOf(Object.fromEntries(head.header.columns.map(({ name }) => [name, []])))
    answer.until ??= head.until ?? null
    answer.isCut ||= head.header.truncated
    if (head.annotations) answer.annotations = head.annotations
  }
  return answers
}
