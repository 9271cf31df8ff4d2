import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { InstanceLimits } from '@parquetry/engines/drivers'
import { Budget, createMessageReader, encodeMessage, type Frame } from '@parquetry/frame'
import type { HandedOver, ShapePlan } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { finishPlan, type GatheredResult } from './finish-plan.ts'
import type { Job } from './job.ts'

/** A frame of one statement is at most as large as what a plan may gather. */
const maxFrameBytes = 512 << 20
const readBytes = 4 << 20

/** Writes the rows of a run to a file, for \`finishHandedOver\` in a process of its own, and ends the job. */
export async function handOver(
  { results, startedAt, ...read }: GatheredResult,
  job: Job,
  { spillFolder }: InstanceLimits,
): Promise<void> {
  const path = join(spillFolder, randomUUID())
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      for (const [result, frames] of results.entries())
        for (const frame of frames) {
          await file.write(encodeMessage({ type: 'frame', result }, frame))
          await job.yieldToEventLoop()
        }
    } finally {
      await file.close()
    }
  } catch (error) {
    await rm(path, { force: true })
    throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? new AppError('disk_full', { cause: error }) : error
  }
  const handedOver: HandedOver = { path, ...read, totalMs: performance.now() - startedAt }
  job.send({ type: 'header', header: { handedOver } })
  job.send({ type: 'end' })
}

/**
 * Finishes a run that another process has handed over. No other job runs in this process, so it may block: the server kills it at
 * its time limit.
 */
export async function finishHandedOver(
  { path, totalMs, ...read }: HandedOver,
  plan: ShapePlan,
  job: Job,
  files: InstanceLimits,
): Promise<void> {
  const startedAt = performance.now() - totalMs
  const results = await readResults(path)
  await finishPlan({ results, startedAt, ...read }, plan, job, {
    budget: new Budget({ cells: plan.limits.cells }),
    files,
  })
}

async function readResults(path: string): Promise<Frame[][]> {
  const results: Frame[][] = []
  const messages = createMessageReader({ maxBytes: maxFrameBytes })
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: readBytes }))
      for (const { head, frame } of messages.push(chunk as Buffer))
        if (frame) (results[Number(head['result'])] ??= []).push(frame)
  } catch (error) {
    // The file is gone with the process that wrote it.
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new AppError('unavailable', { cause: error }) : error
  } finally {
    await rm(path, { force: true })
  }
  return results
}
