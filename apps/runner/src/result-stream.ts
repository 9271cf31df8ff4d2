import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { loadEmbeddedDriver, type FileWriter, type InstanceLimits } from '@parquetry/engines/drivers'
import { createByteCounter, concat, describeFrame, type Frame } from '@parquetry/frame'
import type { RunTotals, ShapePlan } from '@parquetry/model'
import type { Encoder } from '@parquetry/frame/encode'
import { checkSize } from './check-size.ts'
import type { Job } from './job.ts'
import { createLimitedEncoder, toEncodedColumns, type ResultMetadata } from './send-result.ts'
import { createXlsxWriter } from './xlsx-writer.ts'

type StreamPlan = Pick<ShapePlan, 'encode' | 'columns' | 'limits'>

/** Receives the frames of a result as they come and sends them: header, bytes, end. */
export interface ResultStream {
  frame(frame: Frame, metadata: ResultMetadata): Promise<void>
  end(totals: RunTotals): Promise<void>
  /** Called in any case, and last. */
  close?(): Promise<void>
}

export async function createResultStream(plan: StreamPlan, job: Job, limits: InstanceLimits): Promise<ResultStream> {
  const { encode } = plan
  if (encode.as === 'xlsx')
    return createFileStream(job, limits, async (path, frame) => createXlsxWriter(path, toEncodedColumns(plan, frame)))
  if (encode.as === 'parquet') {
    const { createParquetWriter } = await loadEmbeddedDriver('duckdb')
    return createFileStream(job, limits, (path) => createParquetWriter(path, limits))
  }
  return encode.as === 'frames' ? createGroupedStream(plan, job) : createChunkStream(plan, job)
}

/** Sends rows as they come: the row count is in the end, not in the header. */
function createChunkStream(plan: StreamPlan, job: Job): ResultStream {
  let encoder: Encoder | null = null
  const send = async (chunks: readonly Uint8Array[]): Promise<void> => {
    for (const chunk of chunks) await job.sendBytes(chunk)
  }
  return {
    async frame(frame, metadata) {
      if (!encoder) {
        // Output that is consumed piece by piece may have any size; output that is held as a whole may not.
        encoder = createLimitedEncoder(plan, plan.encode.as === 'csv' ? Infinity : plan.limits.bytes)
        job.send({ type: 'header', header: { columns: describeFrame(frame), rowcount: -1, ...metadata } })
        await send(encoder.start(toEncodedColumns(plan, frame)))
      }
      await send(encoder.frame(frame))
    },
    async end(totals) {
      await send(encoder?.end() ?? [])
      job.send({ type: 'end', totals })
    },
  }
}

/** Rows of the first message, which a reader waits for, and of the others: fewer messages have fewer dictionaries. */
const firstGroupRows = 2048
const groupRows = 16_384

function createGroupedStream(plan: StreamPlan, job: Job): ResultStream {
  const inner = createChunkStream(plan, job)
  let group: Frame[] = []
  let rows = 0
  let wanted = firstGroupRows
  let latest: ResultMetadata | null = null
  const flush = async (): Promise<void> => {
    if (group.length === 0 || !latest) return
    const frame = concat(group)
    group = []
    rows = 0
    wanted = groupRows
    await inner.frame(frame, latest)
  }
  return {
    async frame(frame, metadata) {
      group.push(frame)
      rows += frame.rows
      latest = metadata
      if (rows >= wanted) await flush()
    },
    async end(totals) {
      await flush()
      await inner.end(totals)
    },
  }
}

/** Limit for output that passes through the disk. */
const maxFileBytes = 8 * 2 ** 30

/** Completes a file before its first byte is sent, so that a failure still gets a proper response. */
function createFileStream(
  job: Job,
  { spillFolder }: InstanceLimits,
  make: (path: string, frame: Frame) => Promise<FileWriter>,
): ResultStream {
  const path = join(spillFolder, randomUUID())
  const bytesWith = createByteCounter()
  let writer: FileWriter | null = null
  let first: { frame: Frame; facts: ResultMetadata } | null = null
  return {
    async frame(frame, metadata) {
      first ??= { frame, facts: metadata }
      writer ??= await make(path, frame)
      checkSize(bytesWith(frame), maxFileBytes)
      await writer.frame(frame)
      await job.yieldToEventLoop()
    },
    async end(totals) {
      if (!writer || !first) return
      await writer.end()
      job.signal.throwIfAborted()
      const columns = describeFrame(first.frame)
      job.send({
        type: 'header',
        header: { columns, rowcount: totals.rowcount, ...first.facts, truncated: totals.truncated },
      })
      if ((await stat(path)).size > 0)
        for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }))
          await job.sendBytes(chunk as Buffer)
      job.send({ type: 'end', totals })
    },
    async close() {
      await writer?.close()
      await rm(path, { force: true })
    },
  }
}
