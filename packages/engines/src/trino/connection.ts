import { Agent, type IncomingHttpHeaders } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import { toConnectError, requireSettings } from '../shared/connect-error.ts'
import type { SessionContext } from '../shared/driver.ts'
import { createHttpAgent } from '../shared/http-agent.ts'
import { buildTlsOptions } from '../shared/tls.ts'
import type { Settings } from './engine.ts'
import { sendRequest, type HttpResponse, type HttpRequest } from './http.ts'
import { parseJson } from './json.ts'

/** The server responds within about a second, also while a query runs; one that is silent for this long is considered lost. */
const idleTimeoutMs = 9000

/** Returned by a load balancer or a starting server; the request is repeated until its time limit. */
const busy = new Set([502, 503, 504])
const firstPauseMs = 50
const maxPauseMs = 1000

/** A larger response could not be converted to a string. */
const maxResponseBytes = 256 << 20

export interface TrinoRequest {
  method: HttpRequest['method']
  url: URL
  headers: Record<string, string>
  body?: string
  signal: AbortSignal
  /** Time limit in milliseconds. */
  timeMs: number
  maxBytes?: number
}

export interface TrinoResponse {
  headers: IncomingHttpHeaders
  body: unknown
}

/** HTTP access to one server, with the rules that apply to each request. */
export class Connection {
  readonly base: URL
  readonly #agent: Agent
  readonly #authorization: Record<string, string>

  /** @throws AppError `connection_missing`, `connection_failed` */
  constructor(settings: Settings, route: Pick<SessionContext, 'dial' | 'serverCert' | 'unverifiedTls'>) {
    const { dial, serverCert } = route
    const { host, port, username, password, encryption, query = {} } = settings
    requireSettings(settings, ['host', 'catalog', 'username'])
    const isEncrypted = encryption === true || Boolean(serverCert)
    if (password && !isEncrypted)
      throw new AppError('connection_failed', {
        message: message(
          'errors.engines.passwordNotEncrypted',
          'A password can be sent only over an encrypted connection. Turn on encryption or remove the password.',
        ),
        details: { invalid: ['encryption'] },
      })
    this.base = new URL(`${isEncrypted ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`)
    this.#authorization = password
      ? { Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
      : {}
    const tls = buildTlsOptions(route, query['verify'] !== 'false')
    const options = { keepAlive: true, maxSockets: 4 }
    if (dial) this.#agent = createHttpAgent(dial, isEncrypted ? { ...tls, host } : null, options)
    else this.#agent = isEncrypted ? new HttpsAgent({ ...options, ...tls }) : new Agent(options)
  }

  /**
   * Sends one request and returns its JSON response. Retries while the server is busy; a lost page is requested once more,
   * because the server returns the same page for the same address.
   * @throws AppError `connection_*`, `query_timeout`, `query_stopped`
   */
  async exchange({ timeMs, ...request }: TrinoRequest): Promise<TrinoResponse> {
    const until = performance.now() + timeMs
    let pause = firstPauseMs
    let lives = request.method === 'GET' ? 2 : 1
    for (;;) {
      const answer = await this.#once(request, until).catch((error: unknown) => {
        if (request.signal.aborted) throw new AppError('query_stopped', { cause: error })
        if (performance.now() >= until) throw new AppError('query_timeout', { cause: error })
        if (--lives === 0 || error instanceof AppError) throw toConnectError(error)
        return null
      })
      if (answer && !busy.has(answer.status)) return { headers: answer.headers, body: parseBody(answer) }
      if (performance.now() + pause > until) throw answer ? unexpectedResponse(answer) : new AppError('query_timeout')
      await sleep(pause, undefined, { signal: request.signal }).catch((error: unknown) => {
        throw new AppError('query_stopped', { cause: error })
      })
      pause = Math.min(pause * 2, maxPauseMs)
    }
  }

  close(): void {
    this.#agent.destroy()
  }

  #once(
    { url, headers, body, signal, method, maxBytes = maxResponseBytes }: Omit<TrinoRequest, 'timeMs'>,
    until: number,
  ): Promise<HttpResponse> {
    const time = AbortSignal.timeout(Math.max(1, Math.ceil(Math.min(idleTimeoutMs, until - performance.now()))))
    return sendRequest(url, {
      method,
      headers: { ...headers, ...this.#authorization },
      ...(body !== undefined && { body }),
      agent: this.#agent,
      maxBytes,
      signal: AbortSignal.any([signal, time]),
    })
  }
}

/** The response is not revealed, so that connection tests cannot scan a network. */
const unexpectedResponse = ({ status, text }: HttpResponse): AppError =>
  new AppError('connection_failed', { cause: new Error(`unexpected response ${status}: ${text.slice(0, 200)}`) })

function parseBody(response: HttpResponse): unknown {
  if (response.status === 401)
    throw new AppError('connection_password', { cause: new Error(response.text.slice(0, 200)) })
  if (response.status < 200 || response.status > 299) throw unexpectedResponse(response)
  if (response.text === '') return null
  try {
    return parseJson(response.text)
  } catch {
    throw unexpectedResponse(response)
  }
}
