import { mkdirSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import {
  AppError,
  type Described,
  type FileLoaded,
  type FileLook,
  type FileToLook,
  type Inspection,
  type Plan,
  type Source,
} from '@parquetry/model'
import { positionAt } from '@parquetry/model/position'
import { guardNetwork } from '@parquetry/sql'
import type { Logger } from 'pino'
import { type OutgoingPolicy, throughGate } from '../http/outgoing.ts'
import { gather } from './gather.ts'
import { Inspections } from './inspections.ts'
import { Pool } from './pool.ts'
import { type AskOptions, type Question, reasonOf, RunnerProcess, type RunnerOptions } from './runner-process.ts'
import type { Runners, RunStream } from './runners.ts'

export interface RunnersOptions {
  log: Logger
  /** Of all embedded engines together, page caches included. */
  memoryLimitMb: number
  /** Emptied at the start; holds what engines spill while they run. */
  spillFolder: string
  /** What connections of network engines may reach. Left out: everything that is not refused always. */
  outgoing?: OutgoingPolicy
  /** Cores of the machine, for tests. */
  cores?: number
  /** Processes end when nobody has asked for so long, for tests. */
  idleMs?: number
  /** A process that is followed and silent for so long is given up, for tests. */
  silenceMs?: number
}

type Embedded = Extract<Source, { kind: 'embedded' }>

const idleMs = 600_000
const inspectMs = 2000
/** The same for the first text of a dialect in a process, for which the process and its parser may have to be loaded. */
const firstInspectMs = 10_000
const describeMs = 30_000
const loadMs = 3_600_000
const lookIdleMs = 10_000
/** Several files come one after the other; then the memory goes back. */
const loadIdleMs = 2000
/** How often a query that somebody follows says how far it is. */
const beatsMs = 500
/** Network queries wait for their servers, so a process holds several. */
const networkJobs = 8
const leastMemoryMb = 64

export function createRunners(options: RunnersOptions): Runners {
  rmSync(options.spillFolder, { recursive: true, force: true })
  mkdirSync(options.spillFolder, { recursive: true, mode: 0o700 })
  return new Processes(options)
}

class Processes implements Runners {
  #options: Required<Omit<RunnersOptions, 'silenceMs'>> & Pick<RunnersOptions, 'silenceMs'>
  #embedded = new Map<string, { source: Embedded; pool: Pool }>()
  #network: Pool
  #parser: Pool
  #draw: Pool
  #load: Pool
  #look: Pool
  #inspections = new Inspections()
  /** Dialects whose parser has answered, with the processes that it is loaded in. */
  #parsed = new Set<string>()
  /** Processes with an engine inside: they share the memory. */
  #engines = new Set<RunnerProcess>()
  #made = 0

  constructor(options: RunnersOptions) {
    this.#options = { cores: availableParallelism(), idleMs, outgoing: { private: true, loopback: true }, ...options }
    const { cores } = this.#options
    const size = Math.min(4, cores)
    this.#network = this.#pool('network', 'shared', null, { size, places: size * networkJobs })
    this.#parser = this.#pool('parser', 'shared', null, { size: 1, places: 4 })
    this.#draw = this.#pool('draw', 'shared', null, { size: 1, places: cores })
    this.#load = this.#pool('load', 'shared', null, { size: 1, places: 1, idleMs: loadIdleMs })
    this.#look = this.#pool('load', 'look', null, { size: 1, places: 2, idleMs: lookIdleMs })
  }

  async stream(plan: Plan, signal: AbortSignal, onProgress?: AskOptions['onProgress']): Promise<RunStream> {
    await this.#guard(plan, signal)
    const beatMs = onProgress && beatsMs
    const options = { signal, timeoutMs: plan.limits.timeoutMs, onProgress, beatMs }
    const question: Question = {
      type: 'run',
      plan: await this.#reaching(plan),
      ...(beatMs !== undefined && { beatMs }),
    }
    const { reply } = await this.#of(plan.source).ask(question, options, (asking) => asking.reply.header)
    return reply.stream()
  }

  async encode(...[path, encode, rows, signal]: Parameters<Runners['encode']>): Promise<RunStream> {
    const question: Question = { type: 'encode', path, encode, rows }
    return (await this.#network.ask(question, { signal, timeoutMs: describeMs })).reply.stream()
  }

  async run(plan: Plan, signal: AbortSignal, onProgress?: AskOptions['onProgress']) {
    const { header, chunks } = await this.stream(plan, signal, onProgress)
    return { header, body: Buffer.concat(await gather(chunks)) }
  }

  async inspect(sql: string, source: Source, signal: AbortSignal): Promise<Inspection> {
    if (signal.aborted) throw reasonOf(signal)
    const pool = source.kind === 'embedded' ? this.#of(source) : this.#parser
    const question: Question = { type: 'inspect', sql, dialect: source.engine }
    // Several callers may wait for one answer, so none of them may take it away from the others.
    const parser = () => `${source.engine} ${pool.serving.map(({ pid }) => pid).join(' ')}`
    const timeoutMs = this.#parsed.has(parser()) ? inspectMs : firstInspectMs
    const options = { signal: new AbortController().signal, timeoutMs }
    try {
      const inspection = await this.#inspections.get(
        source.engine,
        sql,
        async () => (await this.#answer(pool, question, options)) as Inspection,
      )
      this.#parsed.add(parser())
      return inspection
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'query_timeout') throw error
      const message = 'This text takes too long to read. Make it shorter or simpler.'
      return { statements: [], error: { message, ...positionAt(sql, 0) } }
    }
  }

  async describe(...[source, what, signal]: Parameters<Runners['describe']>): Promise<Described> {
    const question: Question = { type: 'describe', source: await throughGate(source, this.#options.outgoing), what }
    return (await this.#answer(this.#of(source), question, { signal, timeoutMs: describeMs })) as Described
  }

  async load(...[folder, table, from, signal]: Parameters<Runners['load']>): Promise<{ rows: number }> {
    const question: Question = { type: 'load', folder, table, from }
    return (await this.#answer(this.#load, question, { signal, timeoutMs: loadMs })) as { rows: number }
  }

  async loadFile(
    request: Parameters<Runners['loadFile']>[0],
    signal: AbortSignal,
    onProgress?: (percent: number) => void,
  ): Promise<FileLoaded> {
    const question: Question = { type: 'load_file', ...request }
    return (await this.#answer(this.#load, question, { signal, timeoutMs: loadMs, onProgress })) as FileLoaded
  }

  /** In a process of its own: nobody waits for a file behind one that is loaded. */
  async lookAtFile(file: FileToLook, signal: AbortSignal): Promise<FileLook> {
    return (await this.#answer(this.#look, { type: 'look_file', file }, { signal, timeoutMs: describeMs })) as FileLook
  }

  async tablesChanged(source: Source): Promise<void> {
    if (source.kind !== 'embedded') return
    const known = this.#embedded.get(source.id)
    if (!known) return
    known.source = source
    const question: Question = { type: 'tables', tables: source.tables }
    try {
      await known.pool.tellAll(question, { signal: AbortSignal.timeout(describeMs), timeoutMs: describeMs })
    } catch (error) {
      // A runner that cannot take the change must not go on with the old tables.
      this.#options.log.error({ error, source: source.id }, 'tables not changed in place')
      known.pool.renew()
    }
  }

  async draw(request: Parameters<Runners['draw']>[0], signal: AbortSignal): Promise<{ svg: string }> {
    await Promise.all(Object.values(request.plans).map((plan) => this.#guard(plan, signal)))
    const timeoutMs = Math.max(describeMs, ...Object.values(request.plans).map(({ limits }) => limits.timeoutMs))
    const reaching = Object.entries(request.plans).map(
      async ([name, plan]) => [name, await this.#reaching(plan)] as const,
    )
    const question: Question = { type: 'draw', ...request, plans: Object.fromEntries(await Promise.all(reaching)) }
    return (await this.#answer(this.#draw, question, { signal, timeoutMs })) as { svg: string }
  }

  stats(): ReturnType<Runners['stats']> {
    const runners = this.#pools().flatMap(({ processes }) =>
      processes.map(({ kind, id, pid, busy }) => ({ kind, id, pid, busy })),
    )
    return { running: this.#pools().reduce((sum, { busy }) => sum + busy, 0), runners }
  }

  async close(graceMs: number): Promise<void> {
    for (const pool of this.#pools()) pool.cancelAll()
    const end = performance.now() + graceMs
    while (this.stats().runners.some(({ busy }) => busy > 0) && performance.now() < end)
      await new Promise((resolve) => setTimeout(resolve, 20))
    await Promise.all(this.#pools().map((pool) => pool.close()))
    rmSync(this.#options.spillFolder, { recursive: true, force: true })
  }

  async #reaching(plan: Plan): Promise<Plan> {
    return { ...plan, source: await throughGate(plan.source, this.#options.outgoing) }
  }

  /** The parser of a network engine has a process of its own; an embedded runner reads its texts itself. */
  async #guard({ source, guard, statements }: Plan, signal: AbortSignal): Promise<void> {
    if (source.kind === 'embedded' || guard !== 'user-sql') return
    for (const { text } of statements)
      guardNetwork(await this.inspect(text, source, signal), source.engine, source.allow_dml === true)
  }

  async #answer(pool: Pool, question: Question, options: AskOptions): Promise<unknown> {
    const { reply } = await pool.ask(question, options)
    return reply.answer
  }

  #pools(): Pool[] {
    const embedded = [...this.#embedded.values()].map(({ pool }) => pool)
    return [...embedded, this.#network, this.#parser, this.#draw, this.#load, this.#look]
  }

  /** One runner per embedded source, with as many jobs as there are cores: more would only be slower. */
  #of(source: Source): Pool {
    if (source.kind === 'network') return this.#network
    const known = this.#embedded.get(source.id)
    if (known) return known.pool
    const latest = () => this.#embedded.get(source.id)?.source ?? source
    const pool = this.#pool('embedded', source.id, latest, { size: 1, places: this.#options.cores })
    this.#embedded.set(source.id, { source, pool })
    return pool
  }

  #pool(
    kind: RunnerOptions['kind'],
    id: string,
    source: (() => Source) | null,
    { size, places, ...own }: { size: number; places: number; idleMs?: number },
  ): Pool {
    const hasEngine = kind === 'embedded' || kind === 'draw' || kind === 'load'
    const make = () => {
      const { log, cores, spillFolder, silenceMs } = this.#options
      const process = new RunnerProcess({
        kind,
        id,
        source: source?.() ?? null,
        memoryLimitMb: this.#share(hasEngine ? 1 : 0),
        threads: cores,
        spillFolder: join(spillFolder, String(++this.#made)),
        silenceMs,
        log,
      })
      if (hasEngine) this.#shareWith(process)
      return process
    }
    return new Pool({ make, size, places, idleMs: own.idleMs ?? this.#options.idleMs })
  }

  #share(more: number): number {
    const count = Math.max(1, this.#engines.size + more)
    return Math.max(leastMemoryMb, Math.floor(this.#options.memoryLimitMb / count))
  }

  /** The newcomer has been opened with its share; the others give some of theirs, and get it back when it ends. */
  #shareWith(process: RunnerProcess): void {
    const tell = () => {
      for (const one of this.#engines) if (one !== process) one.setMemoryLimit(this.#share(0))
    }
    this.#engines.add(process)
    tell()
    void process.exited.then(() => {
      this.#engines.delete(process)
      tell()
    })
  }
}
