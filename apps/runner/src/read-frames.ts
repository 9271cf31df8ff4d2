import type { Session } from '@parquetry/engines/drivers'
import { createByteCounter, type Frame, slice } from '@parquetry/frame'
import type { Limits, Statement } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import { checkSize } from './check-size.ts'
import type { Job } from './job.ts'

/** Cost of reading: the time spent waiting for the engine. */
export interface Meter {
  engineMs: number
}

export interface ReadSummary {
  rows: number
  truncated: boolean
}

/** Yields frames of a statement as they come, cut at the row limit, and yields to the event loop between them. */
export async function* readFrames(
  session: Session,
  statement: Statement,
  limits: Limits,
  job: Job,
  meter: Meter,
): AsyncGenerator<Frame, ReadSummary> {
  let rows = 0
  const iterator = session.run(statement, limits)[Symbol.asyncIterator]()
  try {
    for (;;) {
      const startedAt = performance.now()
      const { done, value } = await iterator.next()
      meter.engineMs += performance.now() - startedAt
      if (done) return { rows, truncated: false }
      const left = limits.rows - rows
      if (value.rows > left) {
        if (left > 0 || rows === 0) yield slice(value, 0, left)
        return { rows: limits.rows, truncated: true }
      }
      rows += value.rows
      job.progress.rows = rows
      yield value
      await job.yieldToEventLoop()
    }
  } finally {
    await iterator.return?.()
  }
}

/** Multiple of the response limit: steps may reduce the gathered bytes. */
const gatherFactor = 4

/**
 * Counts the values and bytes of all statements of a plan, which are in memory together.
 * @returns a function that adds a frame. It throws AppError \`result_too_large\` beyond the limits
 */
export function createSizeCheck(limits: Limits): (frame: Frame) => void {
  const bytesWith = createByteCounter()
  let cells = 0
  return (frame) => {
    cells += frame.rows * frame.columns.length
    if (cells > limits.cells)
      throw new AppError('result_too_large', {
        message: message(
          'errors.runner.cells',
          'The result has more than {max, number} values. Request fewer rows or columns.',
          { max: limits.cells },
        ),
      })
    checkSize(bytesWith(frame), gatherFactor * limits.bytes, limits.bytes)
  }
}

/** Gathers all frames of a statement, at least one. @throws AppError of \`checkSize\` */
export async function gatherFrames(
  session: Session,
  statement: Statement,
  limits: Limits,
  { job, meter, checkSize: check }: { job: Job; meter: Meter; checkSize: (frame: Frame) => void },
): Promise<ReadSummary & { frames: Frame[] }> {
  const frames: Frame[] = []
  const reading = readFrames(session, statement, limits, job, meter)
  for (;;) {
    const { done, value } = await reading.next()
    if (done) return { frames, ...value }
    check(value)
    frames.push(value)
  }
}
