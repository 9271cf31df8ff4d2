import { concat, describe, type Frame } from '@parquetry/frame'
import { encoderFor } from '@parquetry/frame/encode'
import { AppError, type Plan, type RunHeader, type RunTotals } from '@parquetry/model'
import type { Job } from './job.ts'

/** Sends a whole result: it is encoded before the header goes out, so that an answer that is too large never begins. */
export async function sendWhole(plan: Plan, frames: Frame[], facts: Facts, job: Job): Promise<void> {
  const rowcount = frames.reduce((sum, { rows }) => sum + rows, 0)
  const whole = plan.encode.as === 'frames' ? [concat(frames)] : frames
  const encoder = new Encoding(plan, whole[0]!)
  const pieces = encoder.start()
  for (const frame of whole) {
    pieces.push(...encoder.frame(frame))
    await job.rest()
  }
  pieces.push(...encoder.end())
  job.send({ type: 'header', header: { columns: describe(whole[0]!), rowcount, ...facts } })
  for (const piece of pieces) await job.bytes(piece)
  job.send({ type: 'end', totals: { rowcount, truncated: facts.truncated } })
}

export type Facts = Omit<RunHeader, 'columns' | 'rowcount'>

/** Sends rows as they come, for downloads: the number of rows stands in the end, not in the header. */
export class Stream {
  #plan: Plan
  #job: Job
  #encoder: Encoding | null = null

  constructor(plan: Plan, job: Job) {
    this.#plan = plan
    this.#job = job
  }

  async frame(frame: Frame, facts: Facts): Promise<void> {
    if (!this.#encoder) {
      this.#encoder = new Encoding(this.#plan, frame)
      this.#job.send({ type: 'header', header: { columns: describe(frame), rowcount: -1, ...facts } })
      await this.#send(this.#encoder.start())
    }
    await this.#send(this.#encoder.frame(frame))
  }

  async end(totals: RunTotals): Promise<void> {
    await this.#send(this.#encoder?.end() ?? [])
    this.#job.send({ type: 'end', totals })
  }

  async #send(pieces: Uint8Array[]): Promise<void> {
    for (const piece of pieces) await this.#job.bytes(piece)
  }
}

/** The encoder of a plan, which counts what it gives. @throws AppError `result_too_large` */
class Encoding {
  #encoder
  #columns
  #most: number
  #bytes = 0

  constructor({ encode, columns, limits }: Plan, frame: Frame) {
    const headings = new Map(columns.map(({ name, heading }) => [name, heading]))
    this.#encoder = encoderFor(encode)
    this.#columns = frame.columns.map(({ name }) => {
      const heading = headings.get(name)
      return { name, ...(heading !== undefined && { heading }) }
    })
    this.#most = limits.bytes
  }

  start(): Uint8Array[] {
    return this.#counted(this.#encoder.start(this.#columns))
  }

  frame(frame: Frame): Uint8Array[] {
    return this.#counted(this.#encoder.frame(frame))
  }

  end(): Uint8Array[] {
    return this.#counted(this.#encoder.end())
  }

  #counted(pieces: Uint8Array[]): Uint8Array[] {
    for (const { length } of pieces) this.#bytes += length
    if (this.#bytes <= this.#most) return pieces
    const size = this.#most < 1 << 20 ? `${this.#most} bytes` : `${Math.floor(this.#most / (1 << 20))} MB`
    throw new AppError('result_too_large', {
      message: `The result is larger than ${size}. Ask for fewer rows or columns.`,
    })
  }
}
