import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { fileURLToPath } from 'node:url'

/** Kinds of actions. `fresh` sets a filter that was never asked before. */
export type Kind = 'open' | 'filter' | 'fresh' | 'refresh'

/** Result of an action. Refused: 429 or 503 with `Retry-After`. Late: not finished after `lateMs`. */
export type Outcome = 'answered' | 'refused' | 'late' | 'failed'

export interface Action {
  kind: Kind
  outcome: Outcome
  /** Milliseconds from the request to the last byte, the refusal, or giving up. */
  ms: number
  /** Milliseconds from the request to the end of each chart. All charts of a compressed answer end with its last byte. */
  charts: number[]
  error?: string
}

export interface ViewersResult {
  actions: Action[]
  seconds: number
  /** Queries that ran, seen from the uncompressed answers: those of a chart with another duration. */
  queries: number
  /** CPU time of this process in milliseconds. */
  cpuMs: number
}

export interface ViewersPlan {
  url: string
  path: string
  /** Cookies of sessions; viewers share them in turn. */
  cookies: string[]
  viewers: number
  seconds: number
  thinkMs: [least: number, most: number]
  lateMs: number
  seed: number
  /** Bodies that were asked before: without a filter, then with each of its values. */
  known: string[]
  /** Bodies that were never asked, used once each, and the share of actions that uses them. */
  fresh: string[]
  freshShare: number
  /** Bodies of a timed refresh with their delays, instead of single actions. */
  refresh?: { bodies: string[]; spacingMs: number; everyMs: number }
}

/** Runs viewers in a process of their own, so that their work does not delay the measured times of others. */
export async function runViewers(plan: ViewersPlan): Promise<ViewersResult> {
  const child = fork(fileURLToPath(import.meta.url), [], { execArgv: [] })
  const answer = once(child, 'message')
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`the viewers ended with ${code}`)
  })
  child.send(plan)
  const [result] = (await Promise.race([answer, failed])) as [ViewersResult]
  failed.catch(() => undefined)
  child.disconnect()
  return result
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Numbers from 0 to 1 that are the same in each run (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A loopback address of its own for each viewer. */
export const addressOf = (viewer: number): string => `127.1.${Math.floor(viewer / 250)}.${(viewer % 250) + 1}`

const chartEnd = Buffer.from('{"type":"end","chart":')
const errorHead = Buffer.from('{"type":"error"')
const doneHead = Buffer.from('{"type":"done"}')
const queryHead = /"chart":(\d+),"query":(\d+),[^]*?"engineMs":([\d.e-]+),"totalMs":([\d.e-]+)/g

class Viewers {
  readonly #plan: ViewersPlan
  readonly #agent = new Agent({ keepAlive: true, maxFreeSockets: 10_000 })
  readonly #headers: Record<string, string>
  readonly #address: { hostname: string; port: string }
  readonly #queries = new Set<string>()
  readonly actions: Action[] = []
  #freshUsed = 0

  constructor(plan: ViewersPlan) {
    this.#plan = plan
    this.#address = new URL(plan.url)
    this.#headers = {
      Accept: 'application/vnd.parquetry.frames',
      'Accept-Encoding': 'gzip, deflate, br, zstd',
      'Content-Type': 'application/json',
      Origin: plan.url,
      'Sec-Fetch-Site': 'same-origin',
    }
  }

  get queries(): number {
    return this.#queries.size
  }

  async runAll(): Promise<void> {
    const end = performance.now() + this.#plan.seconds * 1000
    await Promise.all(Array.from({ length: this.#plan.viewers }, (_, viewer) => this.#live(viewer, end)))
    this.#agent.destroy()
  }

  /** One viewer: thinks, acts, and waits as long as a refusal says. */
  async #live(viewer: number, end: number): Promise<void> {
    const { thinkMs, seed, refresh } = this.#plan
    const random = createRandom(seed * 100_003 + viewer)
    if (refresh) return this.#refreshRegularly(viewer, end, random() * refresh.everyMs)
    const think = () => thinkMs[0] + random() * (thinkMs[1] - thinkMs[0])
    await sleep(random() * thinkMs[1])
    while (performance.now() < end) {
      const [kind, body] = this.#choose(random)
      const retryAfter = await this.#act(viewer, kind, body)
      await sleep(Math.max(retryAfter * 1000, think()))
    }
  }

  async #refreshRegularly(viewer: number, end: number, firstMs: number): Promise<void> {
    const { bodies, spacingMs, everyMs } = this.#plan.refresh!
    await sleep(firstMs)
    for (let at = performance.now(); performance.now() < end; at += everyMs) {
      const requests = bodies.map(async (body, index) => {
        await sleep(index * spacingMs)
        return this.#act(viewer, 'refresh', body)
      })
      await Promise.all(requests)
      await sleep(Math.max(0, Math.min(at + everyMs, end) - performance.now()))
    }
  }

  #choose(random: () => number): [Kind, string] {
    const { known, fresh, freshShare } = this.#plan
    if (random() < freshShare) {
      const body = fresh[this.#freshUsed]
      this.#freshUsed += 1
      if (body === undefined) throw new Error('there are no more filters that were never asked')
      return ['fresh', body]
    }
    return random() < 0.5 ? ['open', known[0]!] : ['filter', known[1 + Math.floor(random() * (known.length - 1))]!]
  }

  /** @returns seconds to wait after a refusal */
  async #act(viewer: number, kind: Kind, body: string): Promise<number> {
    const action: Action = { kind, outcome: 'failed', ms: 0, charts: [] }
    this.actions.push(action)
    const begun = performance.now()
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(), this.#plan.lateMs)
    try {
      // As in a browser, a kept connection that the server has just closed is replaced.
      const response = await this.#send(viewer, body, timeout.signal).catch((error: NodeJS.ErrnoException) =>
        error.code === 'ECONNRESET' ? this.#send(viewer, body, timeout.signal) : Promise.reject(error),
      )
      return await this.#read(response, action, begun)
    } catch (error) {
      action.outcome = timeout.signal.aborted ? 'late' : 'failed'
      action.error = error instanceof Error ? error.message : String(error)
      return 0
    } finally {
      clearTimeout(timer)
      action.ms = performance.now() - begun
    }
  }

  #send(viewer: number, body: string, signal: AbortSignal): Promise<IncomingMessage> {
    const { path, cookies } = this.#plan
    const { hostname, port } = this.#address
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          hostname,
          port,
          path,
          method: 'POST',
          agent: this.#agent,
          localAddress: addressOf(viewer),
          signal,
          headers: {
            ...this.#headers,
            Cookie: cookies[viewer % cookies.length],
            'Content-Length': Buffer.byteLength(body),
          },
        },
        resolve,
      )
      sent.on('error', reject)
      sent.end(body)
    })
  }

  async #read(response: IncomingMessage, action: Action, begun: number): Promise<number> {
    const isPlain = response.headers['content-encoding'] === undefined
    const parts: Buffer[] = []
    let tail: Buffer = Buffer.alloc(0)
    let [errors, isDone] = [0, !isPlain]
    for await (const chunk of response as AsyncIterable<Buffer>) {
      if (response.statusCode !== 200) parts.push(chunk)
      if (response.statusCode !== 200 || !isPlain) continue
      const bytes = Buffer.concat([tail, chunk])
      const ends = countOf(bytes, chartEnd)
      const ms = performance.now() - begun
      for (let chart = 0; chart < ends; chart += 1) action.charts.push(ms)
      errors += countOf(bytes, errorHead)
      isDone ||= bytes.includes(doneHead)
      if (this.#plan.refresh) this.#noteQueries(bytes)
      tail = Buffer.from(bytes.subarray(Math.max(0, bytes.length - chartEnd.length + 1)))
      // A head at the end of the previous bytes was counted; only an unfinished one may be found again.
      if (countOf(tail, errorHead) > 0 || countOf(tail, doneHead) > 0) tail = Buffer.alloc(0)
    }
    if (response.statusCode !== 200) {
      const retryAfter = Number(response.headers['retry-after'])
      const isRefusal = [429, 503].includes(response.statusCode ?? 0) && Number.isFinite(retryAfter)
      action.outcome = isRefusal ? 'refused' : 'failed'
      action.error = `${response.statusCode} ${Buffer.concat(parts).toString().slice(0, 200)}`
      return isRefusal ? retryAfter : 0
    }
    if (!isPlain) action.charts.push(performance.now() - begun)
    action.outcome = isDone && errors === 0 ? 'answered' : 'failed'
    if (action.outcome === 'failed') action.error = isDone ? `${errors} charts failed` : 'the answer is incomplete'
    return 0
  }

  /** The durations in a head tell runs of a query apart. */
  #noteQueries(bytes: Buffer): void {
    for (const [, chart, query, engine, total] of bytes.toString('latin1').matchAll(queryHead))
      this.#queries.add([chart, query, engine, total].join(' '))
  }
}

function countOf(bytes: Buffer, part: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(part); at >= 0; at = bytes.indexOf(part, at + part.length)) count += 1
  return count
}

async function runPlan(plan: ViewersPlan): Promise<void> {
  const viewers = new Viewers(plan)
  const before = process.cpuUsage()
  const begun = performance.now()
  await viewers.runAll()
  const { user, system } = process.cpuUsage(before)
  const result: ViewersResult = {
    actions: viewers.actions,
    seconds: (performance.now() - begun) / 1000,
    queries: viewers.queries,
    cpuMs: (user + system) / 1000,
  }
  process.send!(result)
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.once('message', (plan) => void runPlan(plan as ViewersPlan))
