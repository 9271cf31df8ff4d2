import { createReadStream } from 'node:fs'
import type { InstanceLimits } from '@parquetry/engines/drivers'
import { readMessages, slice } from '@parquetry/frame'
import { defaultLimits, type ToRunner } from '@parquetry/model'
import type { Job } from './job.ts'
import { streamOf } from './stream-of.ts'

type Asked = Extract<ToRunner, { type: 'encode' }>

const noFacts = {
  sql_rowcount: -1,
  truncated: false,
  labelMap: null,
  indexNames: null,
  stepError: null,
  engineMs: 0,
  totalMs: 0,
}

/** Sends a kept result of frame messages in another encoding, its first `rows` rows. */
export async function encodeKept({ path, encode, rows }: Asked, job: Job, limits: InstanceLimits): Promise<void> {
  const sending = await streamOf({ encode, columns: [], limits: defaultLimits }, job, limits)
  const messages = readMessages()
  let left = rows
  let truncated = false
  try {
    for await (const bytes of createReadStream(path, { highWaterMark: 1 << 20 })) {
      for (const { frame } of messages.push(bytes as Buffer)) {
        if (!frame) continue
        truncated ||= frame.rows > left
        const shown = frame.rows > left ? slice(frame, 0, left) : frame
        left -= shown.rows
        if (shown.rows > 0 || left === rows) await sending.frame(shown, noFacts)
        await job.rest()
      }
    }
    await sending.end({ rowcount: rows - left, truncated })
  } finally {
    await sending.close?.()
  }
}
