import { parseErrorBody } from '@parquetry/client'
import type { AsyncEvent } from '@parquetry/model'

const retryMs = 100
const maxRetries = 6
const reconnectMs = 2500
const maxReconnects = 6
const lastIdKey = 'last_async_event_id'

export interface AsyncEventsOptions {
  transport: 'polling' | 'websocket'
  pollingDelayMs: number
  socketUrl: string | null
  fetchEvents(lastId: string | null): Promise<AsyncEvent[]>
  fetchResult(url: string, options: ResultOptions): Promise<Response>
  storage: Pick<Storage, 'getItem' | 'setItem'>
  warn(text: string): void
  /** Message for a job that failed without a reason. */
  failed: string
}

export interface ResultOptions {
  accept?: string | undefined
  signal?: AbortSignal | undefined
}

type Listener = (event: AsyncEvent) => void

/** Waits for server jobs of this page: by polling, or by a socket with polling as the fallback. */
export class AsyncEvents {
  readonly #options: AsyncEventsOptions
  readonly #listeners = new Map<string, Listener>()
  #isPolling = false
  #socket: WebSocket | null = null
  #reconnects = 0
  #isSocketGivenUp = false

  constructor(options: AsyncEventsOptions) {
    this.#options = options
  }

  /** Returns the result of a job once it is done. @throws ApiError of the failed job; AbortError when `signal` aborts */
  waitFor(jobId: string, options: ResultOptions): Promise<Response> {
    const { signal } = options
    return new Promise<Response>((resolve, reject) => {
      const leave = () => {
        this.#listeners.delete(jobId)
        reject(signal?.reason as Error)
      }
      if (signal?.aborted) return leave()
      signal?.addEventListener('abort', leave, { once: true })
      this.#listeners.set(jobId, (event) => {
        this.#listeners.delete(jobId)
        signal?.removeEventListener('abort', leave)
        if (event.status === 'error') reject(parseErrorBody(400, this.#options.failed, event))
        else resolve(this.#options.fetchResult(event.result_url ?? '', options))
      })
      this.#listen()
    })
  }

  /** Closes the socket; polling ends when no job is awaited. */
  close(): void {
    this.#isSocketGivenUp = true
    this.#socket?.close()
  }

  #listen(): void {
    const wantsSocket = this.#options.transport === 'websocket' && this.#options.socketUrl !== null
    if (wantsSocket && !this.#isSocketGivenUp) this.#connect()
    else if (!this.#isPolling) void this.#poll()
  }

  async #poll(): Promise<void> {
    this.#isPolling = true
    try {
      while (this.#listeners.size > 0) {
        await this.#pollOnce()
        await new Promise((resolve) => setTimeout(resolve, this.#options.pollingDelayMs))
      }
    } finally {
      this.#isPolling = false
    }
  }

  async #pollOnce(): Promise<void> {
    try {
      for (const event of await this.#options.fetchEvents(this.#lastId)) this.#receive(event)
    } catch (error) {
      this.#options.warn(`Events could not be fetched: ${String(error)}`)
    }
  }

  #connect(): void {
    if (this.#socket) return
    const address = new URL(this.#options.socketUrl ?? '')
    if (this.#lastId !== null) address.searchParams.set('last_id', this.#lastId)
    const socket = new WebSocket(address)
    this.#socket = socket
    socket.addEventListener('open', () => (this.#reconnects = 0))
    socket.addEventListener('message', ({ data }) => {
      const event = readEvent(String(data))
      if (event) this.#receive(event)
      else this.#options.warn('An event could not be read.')
    })
    socket.addEventListener('close', () => {
      this.#socket = null
      this.#reconnect()
    })
  }

  /** Reconnects at once only if a job is awaited; otherwise the next job connects. The user may have signed out. */
  #reconnect(): void {
    if (this.#isSocketGivenUp || this.#listeners.size === 0) return
    if (this.#reconnects < maxReconnects) {
      this.#reconnects += 1
      setTimeout(() => this.#isSocketGivenUp || this.#connect(), reconnectMs)
      return
    }
    this.#options.warn('The socket of events does not hold. Events are polled for.')
    this.#isSocketGivenUp = true
    if (!this.#isPolling) void this.#poll()
  }

  get #lastId(): string | null {
    return this.#options.storage.getItem(lastIdKey)
  }

  #receive(event: AsyncEvent): void {
    if (event.id) this.#options.storage.setItem(lastIdKey, event.id)
    this.#dispatch(event, 0)
  }

  /** An event may arrive before the response that names its job, so it is retried. */
  #dispatch(event: AsyncEvent, retries: number): void {
    if (event.status !== 'done' && event.status !== 'error')
      return this.#options.warn(`Unknown status of an event: ${event.status}`)
    const listener = this.#listeners.get(event.job_id)
    if (listener) return listener(event)
    if (retries === maxRetries) return this.#options.warn(`Nobody waits for the job ${event.job_id}.`)
    setTimeout(() => this.#dispatch(event, retries + 1), retryMs * (retries + 1))
    return undefined
  }
}

function readEvent(text: string): AsyncEvent | null {
  try {
    const event = JSON.parse(text) as AsyncEvent | null
    return typeof event?.job_id === 'string' ? event : null
  } catch {
    return null
  }
}
