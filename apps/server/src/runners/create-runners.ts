import { mkdirSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type ArchiveLimits, defaultArchiveLimits } from '@parquetry/bundle'
import { readRecords } from '@parquetry/engines/channel'
import {
  AppError,
  type DescribeResult,
  type FileLoadResult,
  type FilePreview,
  type FilePreviewRequest,
  type HandedOver,
  type Inspection,
  message,
  type Message,
  type Picture,
  type Plan,
  type SharedScanHead,
  type SharedScanPlan,
  type Source,
  type Statement,
} from '@parquetry/model'
import { positionAt } from '@parquetry/model/position'
import { guardNetwork, guardTempTable } from '@parquetry/sql'
import type { Logger } from 'pino'
import { FairQueue, type WaitingBounds } from '../concurrency/fair-queue.ts'
import { type WaitingLimits, waitingLimits } from '../concurrency/load-limits.ts'
import { PerUserSemaphore } from '../concurrency/per-user-semaphore.ts'
import { type OutgoingPolicy, withOutgoingAddresses } from './outgoing.ts'
import { Backlog } from './backlog.ts'
import { gather, joinChunks } from './gather.ts'
import { InspectionCache } from './inspection-cache.ts'
import { maxTimerMs, submitWhenFree, SourceScheduler } from './source-scheduler.ts'
import { type ConcurrencyLimits, embeddedLimits, networkLimits, networkProcesses, sharedLimits } from './limits.ts'
import { Pool } from './pool.ts'
import { Reader } from './reader.ts'
import type { Reply } from './reply.ts'
import { Refusals } from './refusals.ts'
import { retryBystander } from './retry-bystander.ts'
import {
  type PendingJob,
  type JobOptions,
  toAbortError,
  RunnerProcess,
  type RunnerOptions,
  type RunnerRequest,
} from './runner-process.ts'
import type { QueueOptions, Runners, RunStream, SharedScanResult } from './runners.ts'

export interface RunnersOptions {
  log: Logger
  /** Limit of all embedded engines together, including page caches. */
  memoryLimitMb: number
  /** Cleared at startup; holds the spill files of running engines. */
  spillFolder: string
  /** Allowed targets of network engines. Default: everything except what is always refused. */
  outgoing?: OutgoingPolicy
  /** Limits of a bundle that is read. */
  archiveLimits?: ArchiveLimits
  /** Number of CPU cores, for tests. */
  cores?: number
  /** Idle time after which processes end, for tests. */
  idleMs?: number
  /** Silence after which a monitored process is given up, for tests. */
  silenceMs?: number
  /** Time limit of drawing an image, for tests. */
  drawMs?: number
  /** Limits of waiting, for tests. */
  waiting?: Partial<WaitingLimits>
}

type SubmitToSource = (scheduler: SourceScheduler, options: JobOptions) => Promise<PendingJob>

type Embedded = Extract<Source, { kind: 'embedded' }>

const idleMs = 600_000
const inspectMs = 2000
/** The same for the first text of a dialect in a process, which may have to start and load its parser. */
const firstInspectMs = 10_000
const describeMs = 30_000
/** Loading the largest file that the server accepts takes a few minutes. */
const loadMs = 900_000
/** Drawing a hundred charts takes several seconds. */
const drawMs = 60_000
/** Post-processing may use what its statement has left of the time limit, and at least this. */
const minShapeMs = 1000
/** Charts whose post-processing is long come several at a time, and again with each refresh. */
const shapeIdleMs = 60_000
/** Rarely used processes free their memory soon. */
const rareIdleMs = 10_000
/** Covers the gap between several files loaded or read one after the other; then the memory is freed. */
const loadIdleMs = 2000
/** Progress interval of a query that a client follows. */
const heartbeatMs = 500
const minMemoryMb = 64
/** Assumed time until a full queue accepts requests again. */
const fullQueueMs = 10_000
/** Idle network sources beyond this number lose what is known about the cost of their queries. */
const maxBacklogs = 500

/** Awaits a shared result, which continues when this caller aborts. */
async function withAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(toAbortError(signal))
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Requester of work by the server itself and by anonymous callers. */
const systemRequester = 'system'

const requesterOf = ({ requester = systemRequester }: Source): string => requester

export function createRunners(options: RunnersOptions): Runners {
  rmSync(options.spillFolder, { recursive: true, force: true })
  mkdirSync(options.spillFolder, { recursive: true, mode: 0o700 })
  return new Processes(options)
}

class Processes implements Runners {
  #options: Required<Omit<RunnersOptions, 'silenceMs' | 'waiting'>> & Pick<RunnersOptions, 'silenceMs'>
  /** Files of one user are loaded, and images drawn, one after the other, so that they leave slots to others. */
  #perUserSemaphores = { load: new PerUserSemaphore(1), draw: new PerUserSemaphore(1) }
  #embedded = new Map<string, { source: Embedded; pool: Pool }>()
  #schedulers = new Map<string, SourceScheduler>()
  #backlogs = new Map<string, Backlog>()
  #refusals = new Refusals()
  readonly #waiting: WaitingLimits
  readonly #bounds: WaitingBounds
  #network: Pool
  #parser: Pool
  #draw: Pool
  #shape: Pool
  #load: Pool
  #preview: Pool
  #reader: Reader
  /** Queues of the processes that are shared by all sources. */
  #queues: Record<keyof ReturnType<typeof sharedLimits>, FairQueue>
  #inspections = new InspectionCache()
  /** Dialects whose parser has responded, with the ids of the processes that have loaded it. */
  #warmParsers = new Set<string>()
  /** Processes that contain an engine and share its memory limit. */
  #engines = new Set<RunnerProcess>()
  #processCount = 0

  constructor(options: RunnersOptions) {
    this.#options = {
      cores: availableParallelism(),
      idleMs,
      drawMs,
      archiveLimits: defaultArchiveLimits,
      outgoing: { private: true, loopback: true },
      ...options,
    }
    this.#waiting = { ...waitingLimits, ...options.waiting }
    this.#bounds = {
      total: this.#waiting.perSource,
      perUser: this.#waiting.perUser,
      createRefusal: (isOwn) =>
        isOwn ? this.#refusals.queriesWaiting(fullQueueMs) : this.#refusals.sourceBusy(fullQueueMs),
    }
    const { cores } = this.#options
    const { parser, encode, draw, shape, load, preview, reader } = sharedLimits(cores)
    const createQueue = (slots: number) => new FairQueue(slots, this.#bounds)
    this.#queues = {
      parser: createQueue(parser),
      encode: createQueue(encode),
      draw: createQueue(draw),
      shape: createQueue(shape),
      load: createQueue(load),
      preview: createQueue(preview),
      reader: createQueue(reader),
    }
    this.#network = this.#pool('network', 'shared', null, { size: networkProcesses(cores) })
    this.#parser = this.#pool('parser', 'shared', null)
    // As many processes as slots: each job is alone in its process, which can be killed without ending another.
    const size = (kind: keyof ReturnType<typeof sharedLimits>) => this.#queues[kind].maxHeld
    this.#draw = this.#pool('draw', 'shared', null, { size: size('draw') })
    this.#shape = this.#pool('shape', 'shared', null, { size: size('shape'), idleMs: shapeIdleMs })
    this.#load = this.#pool('load', 'shared', null, { size: size('load'), idleMs: loadIdleMs })
    this.#preview = this.#pool('load', 'preview', null, { size: size('preview'), idleMs: rareIdleMs })
    this.#reader = new Reader(
      this.#pool('reader', 'shared', null, { size: size('reader'), idleMs: loadIdleMs }),
      this.#queues.reader,
      this.#options.archiveLimits,
    )
  }

  stream: Runners['stream'] = (...args) => this.#run(args, (result) => Promise.resolve(result))

  run: Runners['run'] = (...args) =>
    this.#run(args, async ({ header, chunks }) => ({ header, body: joinChunks(await gather(chunks)) }))

  async #run<T>(
    [plan, signal, onProgress, queueOptions = {}]: Parameters<Runners['stream']>,
    read: (result: RunStream) => Promise<T>,
  ): Promise<T> {
    const startedAt = performance.now()
    await this.#guard(plan, signal)
    const progressIntervalMs = onProgress && heartbeatMs
    const options = { signal, timeoutMs: plan.limits.timeoutMs, onProgress, progressIntervalMs }
    const request: RunnerRequest = {
      type: 'run',
      plan: await this.#withAddresses(plan),
      ...(progressIntervalMs !== undefined && { progressIntervalMs }),
    }
    const { source, guard } = plan
    const canRepeat = guard !== 'unparsed' && !(source.kind === 'network' && source.allow_dml)
    const caller = { ...queueOptions, requester: requesterOf(source) }
    const submit: SubmitToSource = (scheduler, own) => scheduler.run(request, own, caller, canRepeat)
    return this.#runOnSource(source, options, submit, async (reply) => {
      const result = await reply.stream()
      const { handedOver } = result.header as { handedOver?: HandedOver }
      if (!handedOver) return read(result)
      const leftMs = Math.max(minShapeMs, plan.limits.timeoutMs - (performance.now() - startedAt))
      return read(await this.#finish(plan, handedOver, { signal, timeoutMs: leftMs }))
    })
  }

  /** Does the post-processing that was too long for the runner of the statement. */
  async #finish(plan: Plan, from: HandedOver, options: { signal: AbortSignal; timeoutMs: number }): Promise<RunStream> {
    const { joins, steps, layout, columns, encode, limits } = plan
    const shape = { joins, steps, ...(layout && { layout }), columns, encode, limits }
    try {
      const reply = await this.#submitAlone('shape', { type: 'shape', plan: shape, from }, options, {
        requester: requesterOf(plan.source),
        tooLong: message(
          'errors.runners.shapeTooLong',
          'The post-processing of the result took longer than the time limit. Request fewer rows, or use fewer or simpler steps.',
        ),
      })
      return await reply.stream()
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'runner_lost') throw error
      throw new AppError('result_too_large', {
        message: message(
          'errors.runners.shapeLost',
          'The process of this post-processing ended, most likely because it needed too much memory. Request fewer rows, or use fewer or simpler steps.',
        ),
        cause: error,
      })
    } finally {
      await rm(from.path, { force: true })
    }
  }

  /** @throws AppError also when the signal is aborted before the turn comes */
  async #takeTurn<T>(
    kind: 'load' | 'draw',
    requester: string,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await this.#perUserSemaphores[kind].run(requester, signal, work)
    } catch (error) {
      throw signal.aborted ? toAbortError(signal) : error
    }
  }

  /**
   * Submits a job that may block its process, which ends with the job if it takes too long.
   * @param tooLong  message of the `query_timeout` after `timeoutMs`, counted from the start of the job to the first part of its response
   */
  async #submitAlone(
    kind: 'draw' | 'shape' | 'load' | 'preview',
    request: RunnerRequest,
    { signal, ...own }: JobOptions,
    { requester, tooLong }: { requester: string; tooLong: Message },
  ): Promise<Reply> {
    const end = new AbortController()
    const options = { ...own, signal: AbortSignal.any([signal, end.signal]) }
    let timer: NodeJS.Timeout | undefined
    const pool = { draw: this.#draw, shape: this.#shape, load: this.#load, preview: this.#preview }[kind]
    const stop = () => clearTimeout(timer)
    try {
      const { reply } = await submitWhenFree(this.#queues[kind], requester, options, async () => {
        const job = await pool.submit(request, options)
        const abort = () => end.abort(new AppError('query_timeout', { message: tooLong }))
        timer = setTimeout(abort, Math.min(own.timeoutMs, maxTimerMs))
        return job
      })
      reply.header.then(stop, stop)
      return reply
    } catch (error) {
      stop()
      throw error
    }
  }

  async encode(...[frames, encode, rows, signal, requester]: Parameters<Runners['encode']>): Promise<RunStream> {
    const request: RunnerRequest = { type: 'encode', encode, rows }
    const options = { signal, timeoutMs: describeMs, body: frames }
    const { reply } = await submitWhenFree(this.#queues.encode, requester, options, () =>
      this.#network.submit(request, options),
    )
    return reply.stream()
  }

  admit: Runners['admit'] = (source, queries) => this.#backlog(source).admit(requesterOf(source), queries)

  async *runShared(
    plan: SharedScanPlan,
    signal: AbortSignal,
    queueOptions: QueueOptions = {},
  ): AsyncGenerator<SharedScanResult> {
    await this.#guardShared(plan, signal)
    const options = { signal, timeoutMs: plan.limits.timeoutMs }
    const requester = requesterOf(plan.source)
    const request: RunnerRequest = { type: 'run_shared', plan: await this.#withAddresses(plan) }
    const run = (scheduler: SourceScheduler) => scheduler.run(request, options, { ...queueOptions, requester }, true)
    const { reply } = await this.#schedule(plan.source, run)
    const { chunks } = await reply.stream()
    for await (const { head, body } of readRecords<SharedScanHead>(chunks)) yield { ...head, body }
  }

  async inspect(sql: string, source: Source, signal: AbortSignal): Promise<Inspection> {
    if (signal.aborted) throw toAbortError(signal)
    const inspection = await withAbort(
      this.#inspections.get(source.engine, sql, () => this.#inspectUncached(sql, source)),
      signal,
    )
    if (inspection !== 'too_long') return inspection
    const tooLong = 'This SQL takes too long to parse. Make it shorter or simpler.'
    return { statements: [], error: { message: tooLong, ...positionAt(sql, 0) } }
  }

  /** Several callers may share one result, so none of them can cancel it. */
  async #inspectUncached(sql: string, source: Source): Promise<Inspection | 'too_long'> {
    const isEmbedded = source.kind === 'embedded'
    const pool = isEmbedded ? this.#embeddedPool(source) : this.#parser
    const request: RunnerRequest = { type: 'inspect', sql, dialect: source.engine }
    const parser = () => `${source.engine} ${pool.serving.map(({ pid }) => pid).join(' ')}`
    for (let attempt = 0; ; attempt++) {
      let hasStarted = false
      const options = {
        signal: new AbortController().signal,
        timeoutMs: this.#warmParsers.has(parser()) ? inspectMs : firstInspectMs,
        onProgress: () => (hasStarted = true),
      }
      const { reply, left } = isEmbedded
        ? await this.#schedule(source, (scheduler) =>
            scheduler.short(request, options, requesterOf(source), attempt > 0),
          )
        : await submitWhenFree(this.#queues.parser, requesterOf(source), options, () => pool.submit(request, options))
      try {
        const inspection = (await reply.answer) as Inspection
        this.#warmParsers.add(parser())
        return inspection
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'query_timeout') throw error
        // A timeout of a hung or busy process proves nothing about the text, so another process is tried.
        if (hasStarted && (!isEmbedded || attempt > 0)) return 'too_long'
        if (attempt > 0)
          throw new AppError('unavailable', {
            message: message('errors.runners.parserHung', 'The process that parses SQL is not responding. Try again.'),
          })
        await left
      }
    }
  }

  async describe(...[source, what, signal]: Parameters<Runners['describe']>): Promise<DescribeResult> {
    const request: RunnerRequest = {
      type: 'describe',
      source: await withOutgoingAddresses(source, this.#options.outgoing),
      what,
    }
    const options = { signal, timeoutMs: describeMs }
    const requester = requesterOf(source)
    const isStatement = what.what === 'columns' || what.what === 'estimate'
    const submit: SubmitToSource = (scheduler, own) =>
      isStatement ? scheduler.run(request, own, { requester }, true) : scheduler.short(request, own, requester)
    return this.#runOnSource(source, options, submit, async ({ answer }) => (await answer) as DescribeResult)
  }

  async load(...[folder, table, from, signal]: Parameters<Runners['load']>): Promise<{ rows: number }> {
    const request: RunnerRequest = { type: 'load', folder, table, from }
    const options = { signal, timeoutMs: loadMs }
    const submit = () => this.#load.submit(request, options)
    const { reply } = await submitWhenFree(this.#queues.load, systemRequester, options, submit)
    return (await reply.answer) as { rows: number }
  }

  async loadFile(
    request: Parameters<Runners['loadFile']>[0],
    signal: AbortSignal,
    requester: string,
    onProgress?: (percent: number) => void,
  ): Promise<FileLoadResult> {
    return this.#takeTurn('load', requester, signal, async () => {
      const options = { signal, timeoutMs: loadMs, onProgress }
      const reply = await this.#submitAlone('load', { type: 'load_file', ...request }, options, {
        requester,
        tooLong: message(
          'errors.runners.loadTooLong',
          'Loading the file took longer than {minutes, number} minutes. Split it, or save it as Parquet.',
          { minutes: loadMs / 60_000 },
        ),
      })
      return (await reply.answer) as FileLoadResult
    })
  }

  /** Uses a separate process, so that previews do not wait for a file that is being loaded. */
  async previewFile(file: FilePreviewRequest, signal: AbortSignal, requester: string): Promise<FilePreview> {
    const options = { signal, timeoutMs: describeMs }
    const reply = await this.#submitAlone('preview', { type: 'preview_file', file }, options, {
      requester,
      tooLong: message(
        'errors.runners.previewTooLong',
        'Reading the start of the file took longer than {seconds, number} seconds. Save it as CSV or Parquet.',
        { seconds: describeMs / 1000 },
      ),
    })
    return (await reply.answer) as FilePreview
  }

  readBundle: Runners['readBundle'] = (...args) => this.#reader.readBundle(...args)
  findBundleLine: Runners['findBundleLine'] = (...args) => this.#reader.findBundleLine(...args)
  writeBundle: Runners['writeBundle'] = (...args) => this.#reader.writeBundle(...args)
  formatSql: Runners['formatSql'] = (...args) => this.#reader.formatSql(...args)

  async tablesChanged(source: Source): Promise<void> {
    if (source.kind !== 'embedded') return
    const existing = this.#embedded.get(source.id)
    if (!existing) return
    existing.source = source
    const request: RunnerRequest = { type: 'tables', tables: source.tables }
    try {
      await existing.pool.broadcast(request, { signal: AbortSignal.timeout(describeMs), timeoutMs: describeMs })
    } catch (error) {
      // A runner that failed to apply the change must not keep using the old tables.
      this.#options.log.error({ error, source: source.id }, 'tables not changed in place')
      existing.pool.renew()
    }
  }

  async draw(picture: Picture, messages: Buffer, signal: AbortSignal, requester: string): Promise<Buffer> {
    const timeoutMs = this.#options.drawMs
    try {
      const options = { signal, timeoutMs, body: messages }
      return await this.#takeTurn('draw', requester, signal, async () => {
        const reply = await this.#submitAlone('draw', { type: 'draw', picture }, options, {
          requester,
          tooLong: message(
            'errors.runners.drawTooLong',
            'Drawing the image took longer than {seconds, number} seconds. Choose fewer charts, fewer rows or a smaller size.',
            { seconds: Math.ceil(timeoutMs / 1000) },
          ),
        })
        return Buffer.concat(await gather((await reply.stream()).chunks))
      })
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'runner_lost') throw error
      throw error.wrap({
        message: message(
          'errors.runners.drawLost',
          'The process that drew the image ended, most likely because it needed too much memory. Choose fewer charts, fewer rows or a smaller size.',
        ),
      })
    }
  }

  isIdle(): boolean {
    return [...this.#backlogs.values()].every(({ isEmpty }) => isEmpty)
  }

  stats(): ReturnType<Runners['stats']> {
    const runners = this.#pools().flatMap(({ processes }) =>
      processes.map(({ kind, id, pid, busy }) => ({ kind, id, pid, busy })),
    )
    const waiting = [...this.#schedulers.values(), ...Object.values(this.#queues)].reduce(
      (sum, queue) => sum + queue.waiting,
      0,
    )
    return {
      running: this.#pools().reduce((sum, { busy }) => sum + busy, waiting),
      waiting,
      refused: { ...this.#refusals.counts },
      runners,
    }
  }

  async close(graceMs: number): Promise<void> {
    const reason = new AppError('restarting')
    for (const queue of [...this.#schedulers.values(), ...Object.values(this.#queues)]) queue.close(reason)
    for (const pool of this.#pools()) pool.cancelAll(reason)
    const end = performance.now() + graceMs
    while (this.stats().runners.some(({ busy }) => busy > 0) && performance.now() < end)
      await new Promise((resolve) => setTimeout(resolve, 20))
    await Promise.all(this.#pools().map((pool) => pool.close()))
    rmSync(this.#options.spillFolder, { recursive: true, force: true })
  }

  async #withAddresses<T extends { source: Source }>(plan: T): Promise<T> {
    return { ...plan, source: await withOutgoingAddresses(plan.source, this.#options.outgoing) }
  }

  /** Checks user SQL for network engines in the parser process; an embedded runner checks its SQL itself. */
  async #guard({ source, guard, statements }: Plan, signal: AbortSignal): Promise<void> {
    if (source.kind === 'embedded' || guard !== 'user-sql') return
    for (const { text } of statements)
      guardNetwork(await this.inspect(text, source, signal), source.engine, source.allow_dml === true)
  }

  /** The same for a rollup and the queries on it. */
  async #guardShared({ source, rollup, table, queries }: SharedScanPlan, signal: AbortSignal): Promise<void> {
    if (source.kind === 'embedded' || queries.every(({ plan }) => plan.guard === 'ours')) return
    const read = ({ text }: Statement) => this.inspect(text, source, signal)
    const [creation, ...readQueries] = await Promise.all(
      [rollup, ...queries.flatMap(({ plan }) => plan.statements)].map(read),
    )
    if (creation) guardTempTable({ creation, queries: readQueries }, source.engine, table)
  }

  #pools(): Pool[] {
    const embedded = [...this.#embedded.values()].map(({ pool }) => pool)
    return [
      ...embedded,
      this.#network,
      this.#parser,
      this.#draw,
      this.#shape,
      this.#load,
      this.#preview,
      this.#reader.pool,
    ]
  }

  /** Runs a job of a source and reads its reply. Jobs of embedded sources cannot write, so a lost bystander runs again. */
  #runOnSource<T>(
    source: Source,
    options: JobOptions,
    submit: SubmitToSource,
    read: (reply: Reply) => Promise<T>,
  ): Promise<T> {
    const run = async (own: JobOptions) =>
      read((await this.#schedule(source, (scheduler) => submit(scheduler, own))).reply)
    return source.kind === 'embedded' ? retryBystander(options, run) : run(options)
  }

  /** The scheduler of a network source is created on demand and deleted with its last request. */
  async #schedule(source: Source, submit: (scheduler: SourceScheduler) => Promise<PendingJob>): Promise<PendingJob> {
    const scheduler = this.#schedulers.get(source.id) ?? this.#createScheduler(source)
    this.#schedulers.set(source.id, scheduler)
    const deleteIfEmpty = () => {
      if (source.kind === 'network' && scheduler.isEmpty && this.#schedulers.get(source.id) === scheduler)
        this.#schedulers.delete(source.id)
    }
    try {
      const job = await submit(scheduler)
      void job.left.then(deleteIfEmpty)
      return job
    } catch (error) {
      deleteIfEmpty()
      throw error
    }
  }

  #createScheduler(source: Source): SourceScheduler {
    const [pool, backlog] = [this.#poolOf(source), this.#backlog(source)]
    return new SourceScheduler(pool, backlog, this.#limitsOf(source), this.#bounds)
  }

  #poolOf(source: Source): Pool {
    return source.kind === 'embedded' ? this.#embeddedPool(source) : this.#network
  }

  #limitsOf({ kind }: Source): ConcurrencyLimits {
    return kind === 'embedded' ? embeddedLimits(this.#options.cores) : networkLimits(this.#options.cores)
  }

  #backlog(source: Source): Backlog {
    const existing = this.#backlogs.get(source.id)
    if (existing) return existing
    if (this.#backlogs.size >= maxBacklogs)
      for (const [id, { isEmpty }] of this.#backlogs) if (isEmpty) this.#backlogs.delete(id)
    const backlog = new Backlog(this.#limitsOf(source).runs, this.#refusals, this.#waiting)
    this.#backlogs.set(source.id, backlog)
    return backlog
  }

  /** One runner per embedded source. */
  #embeddedPool(source: Embedded): Pool {
    const existing = this.#embedded.get(source.id)
    if (existing) return existing.pool
    const latest = () => this.#embedded.get(source.id)?.source ?? source
    const pool = this.#pool('embedded', source.id, latest)
    this.#embedded.set(source.id, { source, pool })
    return pool
  }

  #pool(
    kind: RunnerOptions['kind'],
    id: string,
    source: (() => Source) | null,
    { size = 1, ...overrides }: { size?: number; idleMs?: number } = {},
  ): Pool {
    const hasEngine = kind === 'embedded' || kind === 'load'
    const make = () => {
      const { log, cores, spillFolder, silenceMs } = this.#options
      const process = new RunnerProcess({
        kind,
        id,
        source: source?.() ?? null,
        memoryLimitMb: this.#share(hasEngine ? 1 : 0),
        threads: cores,
        spillFolder: join(spillFolder, String(++this.#processCount)),
        silenceMs,
        log,
      })
      if (hasEngine) this.#shareWith(process)
      return process
    }
    return new Pool({ make, size, idleMs: overrides.idleMs ?? this.#options.idleMs })
  }

  #share(more: number): number {
    const count = Math.max(1, this.#engines.size + more)
    return Math.max(minMemoryMb, Math.floor(this.#options.memoryLimitMb / count))
  }

  /** The new process starts with its share; the others give up some of theirs and regain it when that process ends. */
  #shareWith(process: RunnerProcess): void {
    const updateLimits = () => {
      for (const engine of this.#engines) if (engine !== process) engine.setMemoryLimit(this.#share(0))
    }
    this.#engines.add(process)
    updateLimits()
    void process.exited.then(() => {
      this.#engines.delete(process)
      updateLimits()
    })
  }
}
