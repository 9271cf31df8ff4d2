import { mkdirSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import type { Channel } from '@parquetry/engines/channel'
import { loadEmbeddedDriver, type InstanceLimits } from '@parquetry/engines/drivers'
import type { FileLoadResult, FromRunner, Source, ToRunner } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { abortable } from './abortable.ts'
import { describeSource } from './describe-source.ts'
import { draw } from './draw.ts'
import { encodeCachedResult } from './encode-cached-result.ts'
import { finishHandedOver } from './hand-over.ts'
import { inspectSql } from './inspect-sql.ts'
import { previewFile } from './files/preview-file.ts'
import { prepareFile } from './files/prepare-file.ts'
import { Job } from './job.ts'
import { runReaderTask } from './reader/run-reader-task.ts'
import { runPlan } from './run-plan.ts'
import { runSharedScan } from './run-shared-scan.ts'
import { Sources } from './sources.ts'

type JobMessage = Extract<ToRunner, { job: number }>
type WorkMessage = Exclude<JobMessage, { type: 'cancel' | 'taken' }>

/** Handles the messages of the server. Every job ends in exactly one `end`, `answer` or `error`. */
export class Runner {
  #channel: Channel<ToRunner, FromRunner>
  #jobs = new Map<number, Job>()
  #source: Source | null = null
  #sources: Sources | null = null

  constructor(channel: Channel<ToRunner, FromRunner>) {
    this.#channel = channel
  }

  receive(message: ToRunner, body: Buffer): void {
    if (message.type === 'open') void this.#open(message)
    else if (message.type === 'memory') void this.#setMemory(message.memoryLimitMb)
    else if (message.type === 'cancel') this.#jobs.get(message.job)?.cancel()
    else if (message.type === 'taken') this.#jobs.get(message.job)?.acknowledge(message.bytes)
    else void this.#runJob(message, body)
  }

  /** A runner that cannot open its source is useless: it ends with the reason as its last output. */
  async #open({ source, ...limits }: Extract<ToRunner, { type: 'open' }>): Promise<void> {
    mkdirSync(limits.spillFolder, { recursive: true, mode: 0o700 })
    this.#sources = new Sources(limits)
    this.#source = source
    const broken = source?.kind === 'embedded' ? await this.#sources.open(source) : []
    this.#channel.send({ type: 'ready', broken: [...broken] })
  }

  /** An engine that uses more than its new share keeps the old limit until the next change. */
  async #setMemory(memoryLimitMb: number): Promise<void> {
    try {
      await this.#sources?.setMemoryLimit(memoryLimitMb)
    } catch (error) {
      process.stderr.write(`${JSON.stringify({ level: 40, msg: 'memory limit not changed', error: String(error) })}\n`)
    }
  }

  async #runJob(message: WorkMessage, body: Buffer): Promise<void> {
    const job = new Job(message.job, this.#channel)
    this.#jobs.set(job.id, job)
    try {
      await this.#dispatch(message, body, job)
    } catch (error) {
      job.fail(error)
    } finally {
      this.#jobs.delete(job.id)
      job.end()
      // Node.js writes its compile cache when a process exits, and this process is killed.
      setImmediate(flushCompileCache)
    }
  }

  async #dispatch(message: WorkMessage, body: Buffer, job: Job): Promise<void> {
    const sources = this.#sources
    if (!sources) throw new AppError('internal', { message: 'The runner was not opened.' })
    if (message.type === 'run') {
      if (message.progressIntervalMs !== undefined) job.startHeartbeat(message.progressIntervalMs)
      return runPlan(message.plan, job, sources)
    }
    if (message.type === 'run_shared') return runSharedScan(message.plan, job, sources)
    if (message.type === 'shape') return finishHandedOver(message.from, message.plan, job, sources.limits)
    if (message.type === 'encode') return encodeCachedResult(message, body, job, sources.limits)
    if (message.type === 'read') return runReaderTask(message.task, body, job)
    if (message.type === 'inspect') {
      // The time of a text counts from here; the time before is overhead of this process.
      job.send({ type: 'progress', ...job.progress })
      const inspecting = inspectSql(message.sql, message.dialect, () => sources.parser(this.#source?.id ?? ''))
      return job.send({ type: 'answer', answer: await abortable(inspecting, job.signal, () => {}) })
    }
    if (message.type === 'describe')
      return job.send({ type: 'answer', answer: await describeSource(message.source, message.what, job, sources) })
    if (message.type === 'draw') return draw(message.picture, body, job)
    if (message.type === 'load') return job.send({ type: 'answer', answer: await load(message, job, sources.limits) })
    if (message.type === 'preview_file')
      return job.send({ type: 'answer', answer: { ...(await previewFile(message.file, sources.limits, job.signal)) } })
    if (message.type === 'load_file')
      return job.send({ type: 'answer', answer: { ...(await loadFile(message, job, sources.limits)) } })
    const broken = await sources.setTables(this.#source?.id ?? '', message.tables)
    job.send({ type: 'answer', answer: { broken } })
  }
}

async function load(
  { folder, table, from }: Extract<ToRunner, { type: 'load' }>,
  { signal }: Job,
  limits: InstanceLimits,
): Promise<{ rows: number }> {
  const driver = await loadEmbeddedDriver('duckdb')
  return driver.load({ folder, table, from, signal }, limits)
}

async function loadFile(
  { folder, table, file, append }: Extract<ToRunner, { type: 'load_file' }>,
  job: Job,
  limits: InstanceLimits,
): Promise<FileLoadResult> {
  const driver = await loadEmbeddedDriver('duckdb')
  const onProgress = (percent: number) =>
    job.send({ type: 'progress', statement: percent, statementCount: 100, rows: 0 })
  const prepared = await prepareFile(file, limits.spillFolder, job.signal)
  try {
    return await driver.loadFile({ folder, table, file: prepared.file, append, signal: job.signal, onProgress }, limits)
  } finally {
    await prepared.remove()
  }
}
