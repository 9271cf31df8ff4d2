import type { InstanceLimits } from '@parquetry/engines/drivers'
import { createMessageReader, slice } from '@parquetry/frame'
import type { ToRunner } from '@parquetry/model'
import { defaultLimits } from '@parquetry/model/plan'
import type { Job } from './job.ts'
import { createResultStream } from './result-stream.ts'

type EncodeRequest = Extract<ToRunner, { type: 'encode' }>

const emptyMetadata = {
  sql_rowcount: -1,
  truncated: false,
  labelMap: null,
  indexNames: null,
  stepError: null,
  engineMs: 0,
  totalMs: 0,
}

/** Bytes that are decoded in one step. */
const pieceBytes = 1 << 20

/** Sends the first `rows` rows of a result of frame messages in another encoding. */
export async function encodeCachedResult(
  { encode, rows }: EncodeRequest,
  cached: Buffer,
  job: Job,
  limits: InstanceLimits,
): Promise<void> {
  const sending = await createResultStream({ encode, columns: [], limits: defaultLimits }, job, limits)
  const messages = createMessageReader()
  let left = rows
  let truncated = false
  try {
    for (let index = 0; index < cached.length; index += pieceBytes) {
      for (const { frame } of messages.push(cached.subarray(index, index + pieceBytes))) {
        if (!frame) continue
        truncated ||= frame.rows > left
        const shown = frame.rows > left ? slice(frame, 0, left) : frame
        left -= shown.rows
        if (shown.rows > 0 || left === rows) await sending.frame(shown, emptyMetadata)
        await job.yieldToEventLoop()
      }
    }
    await sending.end({ rowcount: rows - left, truncated })
  } finally {
    await sending.close?.()
  }
}
