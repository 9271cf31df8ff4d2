import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import type { ClientState } from './client-state.ts'
import type { Connection } from './connection.ts'
import { trinoError, type TrinoFailure } from './errors.ts'
import type { TrinoColumn } from './decoders.ts'

/** A response of the protocol: https://trino.io/docs/current/develop/client-protocol.html */
interface StatementResponse {
  id: string
  nextUri?: string
  columns?: TrinoColumn[]
  data?: unknown[][]
  updateType?: string
  error?: TrinoFailure
}

export interface ResultPage {
  /** Null until the server knows them. */
  columns: readonly TrinoColumn[] | null
  rows: readonly unknown[][]
  /** Set for a statement that changes something (`INSERT`, `CREATE TABLE`); it must be read to its end. */
  updateType: string | null
}

/** Time limit for the request that ends a query on the server. */
const cancelTimeoutMs = 2000

/** A statement and the part of it that the user wrote. */
export interface TrinoStatement {
  sql: string
  /** Text that the user wrote, for error positions; null for a generated statement. */
  userText: string | null
  /** Line at which it begins in `sql`. */
  firstLine?: number
}

/** Limits of the response to one statement. */
export interface ResultLimits {
  signal: AbortSignal
  timeMs: number
  /** Limit per page. */
  maxBytes?: number | undefined
}

/** One statement running on the server; it is over when its last page was read or when it was ended. */
export class RunningStatement {
  readonly #connection: Connection
  readonly #state: ClientState
  #next: URL | null = null
  #end: Promise<void> | null = null

  constructor(connection: Connection, state: ClientState) {
    this.#connection = connection
    this.#state = state
  }

  /** Runs the statement and yields its pages; ends it on the server when the reader stops. */
  async *pages(
    { sql, userText, firstLine = 1 }: TrinoStatement,
    { signal, timeMs, maxBytes }: ResultLimits,
  ): AsyncGenerator<ResultPage> {
    let left = timeMs
    const within = async <T>(exchange: () => Promise<T>): Promise<T> => {
      const startedAt = performance.now()
      try {
        return await exchange()
      } finally {
        left -= performance.now() - startedAt
      }
    }
    try {
      let response = await within(() => this.#begin(sql, signal, left))
      let columns: readonly TrinoColumn[] | null = null
      for (;;) {
        if (response.error) throw trinoError(response.error, userText, firstLine)
        columns ??= response.columns ?? null
        yield { columns, rows: response.data ?? [], updateType: response.updateType ?? null }
        const url = this.#next
        if (!url) return
        response = await within(() => this.#ask('GET', url, signal, left, { ...(maxBytes && { maxBytes }) }))
      }
    } finally {
      await this.end()
    }
  }

  /** Makes the server discard the statement. Safe to call at any time; one call is sufficient. */
  end(): Promise<void> {
    const url = this.#next
    this.#next = null
    if (url) this.#end = this.#delete(url)
    return this.#end ?? Promise.resolve()
  }

  /**
   * A statement whose request was given up may still have reached the server, which holds it until its first page is requested.
   * It is therefore ended as soon as its address is known.
   */
  async #begin(sql: string, signal: AbortSignal, timeMs: number): Promise<StatementResponse> {
    const url = new URL('/v1/statement', this.#connection.base)
    const pendingRequest = this.#ask('POST', url, new AbortController().signal, timeMs, { body: sql })
    const { promise: stopped, reject } = Promise.withResolvers<never>()
    const stop = () => reject(new AppError('query_stopped'))
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    try {
      return await Promise.race([pendingRequest, stopped])
    } catch (error) {
      pendingRequest.then(
        () => this.end(),
        () => {},
      )
      throw error
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  async #ask(
    method: 'GET' | 'POST',
    url: URL,
    signal: AbortSignal,
    timeMs: number,
    more: { body?: string; maxBytes?: number },
  ): Promise<StatementResponse> {
    const headers = this.#state.headers()
    const { headers: responseHeaders, body } = await this.#connection.exchange({
      method,
      url,
      headers,
      signal,
      timeMs,
      ...more,
    })
    if (typeof body !== 'object' || body === null || typeof (body as StatementResponse).id !== 'string')
      throw new AppError('connection_failed', { cause: new Error('the response is not from Trino') })
    const response = body as StatementResponse
    this.#next = response.nextUri === undefined ? null : this.#own(response.nextUri)
    this.#state.note(responseHeaders)
    return response
  }

  /** Returns the address of the next page, which must be on the same server because the password is sent with each request. */
  #own(address: string): URL {
    const url = URL.canParse(address) ? new URL(address) : null
    if (url?.origin === this.#connection.base.origin) return url
    throw new AppError('connection_failed', {
      message: message(
        'errors.engines.trinoAddress',
        'The server directs clients to a different address than the one it was reached at. ' +
          'If it runs behind a proxy, set http-server.process-forwarded so that it trusts the headers of the proxy.',
      ),
      cause: new Error(`the next page is at ${url?.origin ?? 'no address'}`),
    })
  }

  async #delete(url: URL): Promise<void> {
    const headers = this.#state.headers()
    await this.#connection
      .exchange({
        method: 'DELETE',
        url,
        headers,
        signal: AbortSignal.timeout(cancelTimeoutMs),
        timeMs: cancelTimeoutMs,
      })
      .catch((error: unknown) => {
        // An unreachable server has its own limit for abandoned queries.
        if (!(error instanceof AppError)) throw error
      })
  }
}
