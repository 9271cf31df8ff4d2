import { randomUUID } from 'node:crypto'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type pg from 'pg'
import type { ChangeKind } from './table-changes.ts'

export interface ChangeListenerDeps {
  /** Makes a connection of its own, not connected yet. */
  createClient(): pg.Client
  /** Runs a statement on another connection. */
  query(text: string, values: unknown[]): Promise<unknown>
  onChange(kinds: readonly ChangeKind[]): void
  limits?: Partial<ListenerLimits>
}

export interface ListenerLimits {
  /** The connection is tested at this interval. */
  testMs: number
  /** A connection without a response within this time is lost. */
  silentMs: number
  /** Time until the next attempt to connect; it doubles with each. */
  minRetryMs: number
  maxRetryMs: number
}

const defaults: ListenerLimits = { testMs: 1000, silentMs: 1000, minRetryMs: 100, maxRetryMs: 5000 }
const channel = 'parquetry_changes'
const kinds = ['content', 'rights', 'sessions'] as const
const checkPrefix = 'check '

/**
 * Listens for the changes that PostgreSQL reports (`migrations/0025-notified-changes.ts`), on a connection of its own. It starts
 * when it is first asked, so that commands that read little do not connect a second time.
 */
export class ChangeListener {
  readonly #deps: ChangeListenerDeps
  readonly #limits: ListenerLimits
  readonly #closing = new AbortController()
  #running: Promise<void> | undefined
  #isListening = false
  #onCheck: ((payload: string) => void) | undefined

  constructor(deps: ChangeListenerDeps) {
    this.#deps = deps
    this.#limits = { ...defaults, ...deps.limits }
  }

  /** True while no change is missed. The first call starts connecting. */
  isListening(): boolean {
    if (!this.#closing.signal.aborted) this.#running ??= this.#run()
    return this.#isListening
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    const { minRetryMs, maxRetryMs } = this.#limits
    for (let retryMs = minRetryMs; !signal.aborted; retryMs = Math.min(retryMs * 2, maxRetryMs)) {
      if (await this.#listen()) retryMs = minRetryMs
      await delay(retryMs, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  /** Listens until the connection is lost. @returns whether there was one */
  async #listen(): Promise<boolean> {
    const client = this.#deps.createClient()
    const { signal } = this.#closing
    const lost = new AbortController()
    const stop = () => {
      this.#isListening = false
      lost.abort()
    }
    client.on('error', stop)
    client.on('end', stop)
    client.on('notification', ({ payload = '' }) => this.#receive(payload))
    const close = () => {
      stop()
      void endClient(client)
    }
    signal.addEventListener('abort', close)
    let wasListening = false
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      await this.#checkDelivery()
      // What was read before may have changed since.
      this.#deps.onChange(kinds)
      this.#isListening = !lost.signal.aborted
      wasListening = this.#isListening
      while (!lost.signal.aborted) {
        await delay(this.#limits.testMs, undefined, { signal: lost.signal, ref: false })
        await this.#within(client.query('select 1'))
      }
    } catch {
      // The caller tries again.
    } finally {
      stop()
      signal.removeEventListener('abort', close)
      await endClient(client)
    }
    return wasListening
  }

  #receive(payload: string): void {
    if (payload.startsWith(checkPrefix)) return this.#onCheck?.(payload)
    // The word of a later version is a change of everything.
    const known = kinds.filter((kind) => kind === payload)
    this.#deps.onChange(known.length > 0 ? known : kinds)
  }

  /** A connection pooler may accept `listen` and never deliver. @throws when a message of another connection does not arrive */
  async #checkDelivery(): Promise<void> {
    const expected = `${checkPrefix}${randomUUID()}`
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onCheck = (payload) => payload === expected && resolve()
    try {
      await this.#within(Promise.all([promise, this.#deps.query('select pg_notify($1, $2)', [channel, expected])]))
    } finally {
      this.#onCheck = undefined
    }
  }

  async #within(work: Promise<unknown>): Promise<void> {
    const { promise, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      // After a busy time of this process the response may be waiting to be read.
      void nextTurn()
        .then(() => nextTurn())
        .then(() => reject(new Error('the metadata store is silent')))
    }, this.#limits.silentMs)
    try {
      await Promise.race([work, promise])
    } finally {
      clearTimeout(timer)
      work.catch(() => undefined)
    }
  }
}

const endMs = 1000

/** Ends a connection, which may not respond any more. */
async function endClient(client: pg.Client): Promise<void> {
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection
  const timer = setTimeout(() => stream.destroy(), endMs)
  await client.end().catch(() => undefined)
  clearTimeout(timer)
}
