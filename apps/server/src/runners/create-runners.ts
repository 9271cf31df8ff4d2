import { mkdirSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { readRecords } from '@parquetry/engines/channel'
import {
  AppError,
  type Described,
  type FileLoaded,
  type FileLook,
  type FileToLook,
  type Inspection,
  message,
  type Picture,
  type Plan,
  type SharedHead,
  type SharedPlan,
  type Source,
  type Statement,
} from '@parquetry/model'
import { positionAt } from '@parquetry/model/position'
import { guardNetwork, guardOwnTable } from '@parquetry/sql'
import type { Logger } from 'pino'
import { Line } from '../concurrency/line.ts'
import { type OutgoingPolicy, throughGate } from './outgoing.ts'
import { gather } from './gather.ts'
import { Inspections } from './inspections.ts'
import { inTurn, Lanes } from './lanes.ts'
import { embeddedPlaces, networkPlaces, networkProcesses, sharedPlaces } from './places.ts'
import { Pool } from './pool.ts'
import { Reader } from './reader.ts'
import {
  type Asking,
  type AskOptions,
  type OnProgress,
  reasonOf,
  RunnerProcess,
  type RunnerOptions,
  type RunnerRequest,
} from './runner-process.ts'
import type { Runners, RunStream, SharedAnswer, TurnOptions } from './runners.ts'

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
/** A picture of a hundred charts takes some seconds. */
const drawMs = 60_000
/** What is asked seldom gives its memory back soon. */
const rareIdleMs = 10_000
/** Several files come one after the other; then the memory goes back. */
const loadIdleMs = 2000
/** How often a query that somebody follows says how far it is. */
const beatsMs = 500
const leastMemoryMb = 64

/** What others wait for as well: it goes on when one of them leaves. */
async function whileWanted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  const left = Promise.withResolvers<never>()
  const leave = () => left.reject(reasonOf(signal))
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([answer, left.promise])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

/** Work of the server itself, and of callers who have no name. */
const nobody = 'nobody'

const personOf = ({ asker = nobody }: Source): string => asker

export function createRunners(options: RunnersOptions): Runners {
  rmSync(options.spillFolder, { recursive: true, force: true })
  mkdirSync(options.spillFolder, { recursive: true, mode: 0o700 })
  return new Processes(options)
}

class Processes implements Runners {
  #options: Required<Omit<RunnersOptions, 'silenceMs'>> & Pick<RunnersOptions, 'silenceMs'>
  #embedded = new Map<string, { source: Embedded; pool: Pool }>()
  #lanes = new Map<string, Lanes>()
  #network: Pool
  #parser: Pool
  #draw: Pool
  #load: Pool
  #look: Pool
  #reader: Reader
  /** Of the processes that no source has of its own. */
  #lines: Record<keyof ReturnType<typeof sharedPlaces>, Line>
  #inspections = new Inspections()
  /** Dialects whose parser has answered, with the processes that it is loaded in. */
  #parsed = new Set<string>()
  /** Processes with an engine inside: they share the memory. */
  #engines = new Set<RunnerProcess>()
  #made = 0

  constructor(options: RunnersOptions) {
    this.#options = { cores: availableParallelism(), idleMs, outgoing: { private: true, loopback: true }, ...options }
    const { cores } = this.#options
    const { parser, encode, draw, load, look, reader } = sharedPlaces(cores)
    this.#lines = {
      parser: new Line(parser),
      encode: new Line(encode),
      draw: new Line(draw),
      load: new Line(load),
      look: new Line(look),
      reader: new Line(reader),
    }
    this.#network = this.#pool('network', 'shared', null, { size: networkProcesses(cores) })
    this.#parser = this.#pool('parser', 'shared', null)
    this.#draw = this.#pool('draw', 'shared', null)
    this.#load = this.#pool('load', 'shared', null, { idleMs: loadIdleMs })
    this.#look = this.#pool('load', 'look', null, { idleMs: rareIdleMs })
    this.#reader = new Reader(this.#pool('reader', 'shared', null, { idleMs: rareIdleMs }), this.#lines.reader)
  }

  async stream(plan: Plan, signal: AbortSignal, onProgress?: OnProgress, turn: TurnOptions = {}): Promise<RunStream> {
    await this.#guard(plan, signal)
    const beatMs = onProgress && beatsMs
    const options = { signal, timeoutMs: plan.limits.timeoutMs, onProgress, beatMs }
    const request: RunnerRequest = {
      type: 'run',
      plan: await this.#reaching(plan),
      ...(beatMs !== undefined && { beatMs }),
    }
    const { source, guard } = plan
    const mayRepeat = guard !== 'unread' && !(source.kind === 'network' && source.allow_dml)
    const run = (lanes: Lanes) => lanes.run(request, options, { ...turn, person: personOf(source) }, mayRepeat)
    const { reply } = await this.#on(source, run)
    return reply.stream()
  }

  async encode(...[frames, encode, rows, signal, person]: Parameters<Runners['encode']>): Promise<RunStream> {
    const request: RunnerRequest = { type: 'encode', encode, rows }
    const options = { signal, timeoutMs: describeMs, body: frames }
    const { reply } = await inTurn(this.#lines.encode, person, options, () => this.#network.ask(request, options))
    return reply.stream()
  }

  async run(plan: Plan, signal: AbortSignal, onProgress?: OnProgress, turn?: TurnOptions) {
    const { header, chunks } = await this.stream(plan, signal, onProgress, turn)
    return { header, body: Buffer.concat(await gather(chunks)) }
  }

  async *runShared(plan: SharedPlan, signal: AbortSignal): AsyncGenerator<SharedAnswer> {
    await this.#guardShared(plan, signal)
    const options = { signal, timeoutMs: plan.limits.timeoutMs }
    const person = personOf(plan.source)
    const request: RunnerRequest = { type: 'run_shared', plan: await this.#reaching(plan) }
    const run = (lanes: Lanes) => lanes.run(request, options, { person }, true)
    const { reply } = await this.#on(plan.source, run)
    const { chunks } = await reply.stream()
    for await (const { head, body } of readRecords<SharedHead>(chunks)) yield { ...head, body }
  }

  async inspect(sql: string, source: Source, signal: AbortSignal): Promise<Inspection> {
    if (signal.aborted) throw reasonOf(signal)
    const inspection = await whileWanted(
      this.#inspections.get(source.engine, sql, () => this.#read(sql, source)),
      signal,
    )
    if (inspection !== 'too_long') return inspection
    const tooLong = 'This SQL takes too long to parse. Make it shorter or simpler.'
    return { statements: [], error: { message: tooLong, ...positionAt(sql, 0) } }
  }

  /** Several callers may wait for one answer, so none of them may take it away from the others. */
  async #read(sql: string, source: Source): Promise<Inspection | 'too_long'> {
    const isEmbedded = source.kind === 'embedded'
    const pool = isEmbedded ? this.#embeddedPool(source) : this.#parser
    const request: RunnerRequest = { type: 'inspect', sql, dialect: source.engine }
    const parser = () => `${source.engine} ${pool.serving.map(({ pid }) => pid).join(' ')}`
    for (let tries = 0; ; tries++) {
      let isBegun = false
      const options = {
        signal: new AbortController().signal,
        timeoutMs: this.#parsed.has(parser()) ? inspectMs : firstInspectMs,
        onProgress: () => (isBegun = true),
      }
      const { reply, left } = isEmbedded
        ? await this.#on(source, (lanes) => lanes.short(request, options, personOf(source), tries > 0))
        : await inTurn(this.#lines.parser, personOf(source), options, () => pool.ask(request, options))
      try {
        const inspection = (await reply.answer) as Inspection
        this.#parsed.add(parser())
        return inspection
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'query_timeout') throw error
        // A process that stands still or runs for others says nothing about the text: another one is asked.
        if (isBegun && (!isEmbedded || tries > 0)) return 'too_long'
        if (tries > 0)
          throw new AppError('unavailable', {
            message: message('errors.runners.parserHung', 'The process that parses SQL is not responding. Try again.'),
          })
        await left
      }
    }
  }

  async describe(...[source, what, signal]: Parameters<Runners['describe']>): Promise<Described> {
    const request: RunnerRequest = { type: 'describe', source: await throughGate(source, this.#options.outgoing), what }
    const options = { signal, timeoutMs: describeMs }
    const person = personOf(source)
    const isOfText = what.what === 'columns' || what.what === 'estimate'
    const { reply } = await this.#on(source, (lanes) =>
      isOfText ? lanes.run(request, options, { person }, true) : lanes.short(request, options, person),
    )
    return (await reply.answer) as Described
  }

  async load(...[folder, table, from, signal]: Parameters<Runners['load']>): Promise<{ rows: number }> {
    const request: RunnerRequest = { type: 'load', folder, table, from }
    return (await this.#answer('load', request, { signal, timeoutMs: loadMs })) as { rows: number }
  }

  async loadFile(
    request: Parameters<Runners['loadFile']>[0],
    signal: AbortSignal,
    person: string,
    onProgress?: (percent: number) => void,
  ): Promise<FileLoaded> {
    return (await this.#answer(
      'load',
      { type: 'load_file', ...request },
      { signal, timeoutMs: loadMs, onProgress },
      person,
    )) as FileLoaded
  }

  /** In a process of its own: nobody waits for a file behind one that is loaded. */
  async lookAtFile(file: FileToLook, signal: AbortSignal, person: string): Promise<FileLook> {
    const options = { signal, timeoutMs: describeMs }
    return (await this.#answer('look', { type: 'look_file', file }, options, person)) as FileLook
  }

  readBundle: Runners['readBundle'] = (...asked) => this.#reader.readBundle(...asked)
  writeBundle: Runners['writeBundle'] = (...asked) => this.#reader.writeBundle(...asked)
  formatSql: Runners['formatSql'] = (...asked) => this.#reader.formatSql(...asked)

  async tablesChanged(source: Source): Promise<void> {
    if (source.kind !== 'embedded') return
    const known = this.#embedded.get(source.id)
    if (!known) return
    known.source = source
    const request: RunnerRequest = { type: 'tables', tables: source.tables }
    try {
      await known.pool.tellAll(request, { signal: AbortSignal.timeout(describeMs), timeoutMs: describeMs })
    } catch (error) {
      // A runner that cannot take the change must not go on with the old tables.
      this.#options.log.error({ error, source: source.id }, 'tables not changed in place')
      known.pool.renew()
    }
  }

  async draw(picture: Picture, messages: Buffer, signal: AbortSignal, person: string): Promise<Buffer> {
    const options = { signal, timeoutMs: drawMs, body: messages }
    const { reply } = await inTurn(this.#lines.draw, person, options, () =>
      this.#draw.ask({ type: 'draw', picture }, options),
    )
    return Buffer.concat(await gather((await reply.stream()).chunks))
  }

  stats(): ReturnType<Runners['stats']> {
    const runners = this.#pools().flatMap(({ processes }) =>
      processes.map(({ kind, id, pid, busy }) => ({ kind, id, pid, busy })),
    )
    const waiting = [...this.#lanes.values(), ...Object.values(this.#lines)].reduce((sum, one) => sum + one.waiting, 0)
    return { running: this.#pools().reduce((sum, { busy }) => sum + busy, waiting), waiting, runners }
  }

  async close(graceMs: number): Promise<void> {
    const reason = new AppError('restarting')
    for (const one of [...this.#lanes.values(), ...Object.values(this.#lines)]) one.close(reason)
    for (const pool of this.#pools()) pool.cancelAll(reason)
    const end = performance.now() + graceMs
    while (this.stats().runners.some(({ busy }) => busy > 0) && performance.now() < end)
      await new Promise((resolve) => setTimeout(resolve, 20))
    await Promise.all(this.#pools().map((pool) => pool.close()))
    rmSync(this.#options.spillFolder, { recursive: true, force: true })
  }

  async #reaching<T extends { source: Source }>(plan: T): Promise<T> {
    return { ...plan, source: await throughGate(plan.source, this.#options.outgoing) }
  }

  /** The parser of a network engine has a process of its own; an embedded runner reads its texts itself. */
  async #guard({ source, guard, statements }: Plan, signal: AbortSignal): Promise<void> {
    if (source.kind === 'embedded' || guard !== 'user-sql') return
    for (const { text } of statements)
      guardNetwork(await this.inspect(text, source, signal), source.engine, source.allow_dml === true)
  }

  /** The same of a level and the questions over it. */
  async #guardShared({ source, level, table, answers }: SharedPlan, signal: AbortSignal): Promise<void> {
    if (source.kind === 'embedded' || answers.every(({ plan }) => plan.guard === 'ours')) return
    const read = ({ text }: Statement) => this.inspect(text, source, signal)
    const [made, ...asked] = await Promise.all([level, ...answers.flatMap(({ plan }) => plan.statements)].map(read))
    if (made) guardOwnTable({ made, asked }, source.engine, table)
  }

  async #answer(of: 'load' | 'look', request: RunnerRequest, options: AskOptions, person = nobody): Promise<unknown> {
    const pool = { load: this.#load, look: this.#look }[of]
    const { reply } = await inTurn(this.#lines[of], person, options, () => pool.ask(request, options))
    return reply.answer
  }

  #pools(): Pool[] {
    const embedded = [...this.#embedded.values()].map(({ pool }) => pool)
    return [...embedded, this.#network, this.#parser, this.#draw, this.#load, this.#look, this.#reader.pool]
  }

  /** Those of a network source are made for whoever asks it, and are gone with the last who did. */
  async #on(source: Source, ask: (lanes: Lanes) => Promise<Asking>): Promise<Asking> {
    const lanes = this.#lanes.get(source.id) ?? this.#newLanes(source)
    this.#lanes.set(source.id, lanes)
    const drop = () => {
      if (source.kind === 'network' && lanes.isEmpty && this.#lanes.get(source.id) === lanes)
        this.#lanes.delete(source.id)
    }
    try {
      const asking = await ask(lanes)
      void asking.left.then(drop)
      return asking
    } catch (error) {
      drop()
      throw error
    }
  }

  #newLanes(source: Source): Lanes {
    const { cores } = this.#options
    return source.kind === 'embedded'
      ? new Lanes(this.#embeddedPool(source), embeddedPlaces(cores))
      : new Lanes(this.#network, networkPlaces(cores))
  }

  /** One runner per embedded source. */
  #embeddedPool(source: Embedded): Pool {
    const known = this.#embedded.get(source.id)
    if (known) return known.pool
    const latest = () => this.#embedded.get(source.id)?.source ?? source
    const pool = this.#pool('embedded', source.id, latest)
    this.#embedded.set(source.id, { source, pool })
    return pool
  }

  #pool(
    kind: RunnerOptions['kind'],
    id: string,
    source: (() => Source) | null,
    { size = 1, ...own }: { size?: number; idleMs?: number } = {},
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
        spillFolder: join(spillFolder, String(++this.#made)),
        silenceMs,
        log,
      })
      if (hasEngine) this.#shareWith(process)
      return process
    }
    return new Pool({ make, size, idleMs: own.idleMs ?? this.#options.idleMs })
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
