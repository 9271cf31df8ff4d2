import {
  concat,
  describeFrame,
  type Frame,
  isNull,
  encodePostProcessedJson,
  type PostProcessedTable,
} from '@parquetry/frame'
import { type EncodedColumn, createEncoder } from '@parquetry/frame/encode'
import type { Plan, RunHeader } from '@parquetry/model'
import { checkSize } from './check-size.ts'
import type { Job } from './job.ts'
import { applyLayout } from './post-process-result.ts'

/** Sends a whole result. It is encoded before the header is sent, so that a response that is too large never begins. */
export async function sendResult(plan: Plan, frames: Frame[], metadata: ResultMetadata, job: Job): Promise<void> {
  if (plan.encode.as === 'legacy') return sendLegacy(plan, plan.encode, frames, metadata, job)
  const { header, pieces } = await encodeResult(plan, frames, metadata, job)
  job.send({ type: 'header', header })
  for (const chunk of pieces) await job.sendBytes(chunk)
  job.send({ type: 'end', totals: { rowcount: header.rowcount, truncated: metadata.truncated } })
}

/** Encodes a whole result, in every encoding but `legacy`. @throws AppError `result_too_large` */
export async function encodeResult(
  plan: Plan,
  frames: Frame[],
  metadata: ResultMetadata,
  job: Job,
): Promise<{ header: RunHeader; pieces: Uint8Array[] }> {
  const table = await applyLayout(frames, plan)
  const pieces = await (table ? encodeLayout(plan, table, job) : encodeRows(plan, frames, job))
  const rowcount = table?.rowcount ?? frames.reduce((sum, { rows }) => sum + rows, 0)
  const names = table && { colnames: table.colnames, indexnames: table.indexnames, coltypes: table.coltypes }
  const columns = describeColumns(frames, plan)
  return { header: { columns, rowcount, ...(names && { laidOut: names }), ...metadata }, pieces }
}

/** Sends the rows in the format of the legacy call. */
async function sendLegacy(
  plan: Plan,
  { form, ends }: Extract<Plan['encode'], { as: 'legacy' }>,
  frames: Frame[],
  metadata: ResultMetadata,
  job: Job,
): Promise<void> {
  const { legacyData } = await import('@parquetry/charts/legacy')
  const frame = concat(frames)
  const { json, colnames } = await legacyData(frame, form, ends)
  const bytes = Buffer.from(json)
  checkSize(bytes.length, plan.limits.bytes)
  const columns = describeColumns(frames, plan)
  const laidOut = colnames && { colnames, indexnames: [], coltypes: columns.map(({ generic }) => generic) }
  job.send({ type: 'header', header: { columns, rowcount: frame.rows, ...(laidOut && { laidOut }), ...metadata } })
  await job.sendBytes(bytes)
  job.send({ type: 'end', totals: { rowcount: frame.rows, truncated: metadata.truncated } })
}

async function encodeRows(plan: Plan, frames: Frame[], job: Job): Promise<Uint8Array[]> {
  const shown = plan.encode.as === 'frames' ? [concat(frames)] : frames
  const encoder = new LimitedEncoder(plan, shown[0]!, plan.limits.bytes)
  const chunks = encoder.start()
  for (const frame of shown) {
    chunks.push(...encoder.frame(frame))
    await job.yieldToEventLoop()
  }
  return [...chunks, ...encoder.end()]
}

async function encodeLayout(plan: Plan, table: PostProcessedTable, job: Job): Promise<Uint8Array[]> {
  // The names of a layout are headings already.
  if (plan.encode.as !== 'rows') return encodeRows({ ...plan, columns: [] }, [table.frame], job)
  const json = encodePostProcessedJson(table)
  checkSize(json.length, plan.limits.bytes)
  return [json]
}

/** A column of a chart response with only nulls is text for the API, whatever type the database reports. */
function describeColumns(frames: readonly Frame[], plan: Plan): RunHeader['columns'] {
  const columns = describeFrame(frames[0]!)
  if (plan.columns.length === 0) return columns
  return columns.map((column, at) => {
    const isOfDatabase = frames[0]!.rows > 0 && column.type !== null
    return isOfDatabase && frames.every((frame) => isAllNull(frame, at)) ? { ...column, generic: 1 } : column
  })
}

function isAllNull({ rows, columns }: Frame, at: number): boolean {
  for (let row = 0; row < rows; row++) if (!isNull(columns[at]!, row)) return false
  return true
}

export type ResultMetadata = Omit<RunHeader, 'columns' | 'rowcount'>

/** Names and headings of the columns of a plan's result. */
export function toEncodedColumns({ columns }: Pick<Plan, 'columns'>, frame: Frame): EncodedColumn[] {
  const headings = new Map(columns.map(({ name, heading }) => [name, heading]))
  return frame.columns.map(({ name, kind }) => {
    const heading = headings.get(name)
    return { name, kind, ...(heading !== undefined && { heading }) }
  })
}

/** Encoder of a plan that counts the bytes it returns. @throws AppError `result_too_large` */
export class LimitedEncoder {
  #encoder
  #columns
  #maxBytes: number
  #bytes = 0

  constructor(plan: Pick<Plan, 'encode' | 'columns'>, frame: Frame, mostBytes: number) {
    this.#encoder = createEncoder(plan.encode)
    this.#columns = toEncodedColumns(plan, frame)
    this.#maxBytes = mostBytes
  }

  start(): Uint8Array[] {
    return this.#count(this.#encoder.start(this.#columns))
  }

  frame(frame: Frame): Uint8Array[] {
    return this.#count(this.#encoder.frame(frame))
  }

  end(): Uint8Array[] {
    return this.#count(this.#encoder.end())
  }

  #count(chunks: Uint8Array[]): Uint8Array[] {
    for (const { length } of chunks) this.#bytes += length
    checkSize(this.#bytes, this.#maxBytes)
    return chunks
  }
}
