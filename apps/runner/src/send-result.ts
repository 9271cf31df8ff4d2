import {
  type Budget,
  concat,
  describeFrame,
  type Frame,
  isNull,
  encodePostProcessedJson,
  type PostProcessedTable,
} from '@parquetry/frame'
import { type EncodedColumn, type Encoder, createEncoder } from '@parquetry/frame/encode'
import type { RunHeader, ShapePlan } from '@parquetry/model'
import { checkSize } from './check-size.ts'
import type { Job } from './job.ts'
import { applyLayout } from './post-process-result.ts'

/** A whole result, and what it may cost to send it. */
export interface ResultToSend {
  plan: ShapePlan
  frames: Frame[]
  metadata: ResultMetadata
  budget: Budget
}

/**
 * Sends a whole result. It is encoded before the header is sent, so that a response that is too large never begins.
 * @throws AppError `result_too_large`; TooMuchWork
 */
export async function sendResult(result: ResultToSend, job: Job): Promise<void> {
  const { plan, metadata } = result
  if (plan.encode.as === 'legacy') return sendLegacy(plan.encode, result, job)
  const { header, pieces } = await encodeResult(result, job)
  await job.sendResponse(header, pieces, { rowcount: header.rowcount, truncated: metadata.truncated })
}

/** Encodes a whole result, in every encoding but `legacy`. @throws AppError `result_too_large`; TooMuchWork */
export async function encodeResult(
  { plan, frames, metadata, budget }: ResultToSend,
  job: Job,
): Promise<{ header: RunHeader; pieces: Uint8Array[] }> {
  const table = await applyLayout(frames, plan, budget)
  const pieces = await (table ? encodeLayout(plan, table, job) : encodeRows(plan, frames, job))
  const rowcount = table?.rowcount ?? frames.reduce((sum, { rows }) => sum + rows, 0)
  const names = table && { colnames: table.colnames, indexnames: table.indexnames, coltypes: table.coltypes }
  const columns = describeColumns(frames, plan)
  return { header: { columns, rowcount, ...(names && { layout: names }), ...metadata }, pieces }
}

/** More than any limited budget. */
const unboundedWork = Number.MAX_SAFE_INTEGER

/** Sends the rows in the format of the legacy call. */
async function sendLegacy(
  { form, range }: Extract<ShapePlan['encode'], { as: 'legacy' }>,
  { plan, frames, metadata, budget }: ResultToSend,
  job: Job,
): Promise<void> {
  // What such a form makes of its rows has no bound of its own.
  budget.spend(unboundedWork)
  const { legacyData } = await import('@parquetry/charts/legacy')
  const frame = concat(frames)
  const { json, colnames } = await legacyData(frame, form, range)
  const bytes = Buffer.from(json)
  checkSize(bytes.length, plan.limits.bytes)
  const columns = describeColumns(frames, plan)
  const layout = colnames && { colnames, indexnames: [], coltypes: columns.map(({ generic }) => generic) }
  const header = { columns, rowcount: frame.rows, ...(layout && { layout }), ...metadata }
  await job.sendResponse(header, [bytes], { rowcount: frame.rows, truncated: metadata.truncated })
}

async function encodeRows(plan: ShapePlan, frames: Frame[], job: Job): Promise<Uint8Array[]> {
  const shown = plan.encode.as === 'frames' ? [concat(frames)] : frames
  const encoder = createLimitedEncoder(plan, plan.limits.bytes)
  const chunks = encoder.start(toEncodedColumns(plan, shown[0]!))
  for (const frame of shown) {
    chunks.push(...encoder.frame(frame))
    await job.yieldToEventLoop()
  }
  return [...chunks, ...encoder.end()]
}

async function encodeLayout(plan: ShapePlan, table: PostProcessedTable, job: Job): Promise<Uint8Array[]> {
  // The names of a layout are headings already.
  if (plan.encode.as !== 'rows') return encodeRows({ ...plan, columns: [] }, [table.frame], job)
  const check = (bytes: number) => checkSize(bytes, plan.limits.bytes)
  const json = encodePostProcessedJson(table, check)
  check(json.length)
  return [json]
}

/** A column of a chart response with only nulls is text for the API, whatever type the database reports. */
function describeColumns(frames: readonly Frame[], plan: ShapePlan): RunHeader['columns'] {
  const columns = describeFrame(frames[0]!)
  if (plan.columns.length === 0) return columns
  return columns.map((column, index) => {
    const isOfDatabase = frames[0]!.rows > 0 && column.type !== null
    return isOfDatabase && frames.every((frame) => isAllNull(frame, index)) ? { ...column, generic: 1 } : column
  })
}

function isAllNull({ rows, columns }: Frame, index: number): boolean {
  for (let row = 0; row < rows; row++) if (!isNull(columns[index]!, row)) return false
  return true
}

export type ResultMetadata = Omit<RunHeader, 'columns' | 'rowcount'>

/** Names and headings of the columns of a plan's result. */
export function toEncodedColumns({ columns }: Pick<ShapePlan, 'columns'>, frame: Frame): EncodedColumn[] {
  const headings = new Map(columns.map(({ name, heading }) => [name, heading]))
  return frame.columns.map(({ name, kind }) => {
    const heading = headings.get(name)
    return { name, kind, ...(heading !== undefined && { heading }) }
  })
}

/** Encoder of a plan that ends when it has written too much. @throws AppError `result_too_large` */
export const createLimitedEncoder = ({ encode }: Pick<ShapePlan, 'encode'>, maxBytes: number): Encoder =>
  createEncoder(encode, (bytes) => checkSize(bytes, maxBytes))
