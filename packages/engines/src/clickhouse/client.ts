import { Agent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { Readable } from 'node:stream'
import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client'
import type { Value } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import { toConnectError, requireSettings } from '../shared/connect-error.ts'
import type { SessionContext } from '../shared/driver.ts'
import { createHttpAgent } from '../shared/http-agent.ts'
import { buildTlsOptions } from '../shared/tls.ts'
import type { Settings } from './engine.ts'
import { clickhouseError, isException } from './errors.ts'

const format = 'JSONCompactEachRowWithNamesAndTypes'

/** Of an error page of whatever answers; the server's own errors are shorter. */
const maxErrorBytes = 1 << 20

const killMs = 2000
/** Beyond the session's own limit, which has the word. */
const graceMs = 10_000

/** How values are written and times are read; nothing that changes what a statement means. */
const outputSettings = {
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_decimals: 1,
  output_format_json_quote_denormals: 1,
  output_format_decimal_trailing_zeros: 1,
  date_time_output_format: 'iso',
  session_timezone: 'UTC',
  // Without it the start of a month before 1970 is one after it.
  enable_extended_results_for_datetime_functions: 1,
} as const

export interface ClickhouseRequest {
  sql: string
  values: readonly Value[]
  queryId: string
  signal: AbortSignal
}

/** The vendor's client for one server, with the settings of one session. */
export class Client {
  readonly #client: ClickHouseClient
  readonly #agent: Agent
  readonly #settings: Record<string, string | number>

  constructor(settings: Settings, context: SessionContext) {
    const { schema, timeoutMs, allowDml, dial, serverCert } = context
    const { host, port, database, username, password, encryption, query = {} } = settings
    requireSettings(settings, ['host'])
    const isEncrypted = encryption === true || Boolean(serverCert)
    const tls = buildTlsOptions(context, query['verify'] !== 'false')
    const options = { keepAlive: true, maxSockets: 4 }
    if (dial) this.#agent = createHttpAgent(dial, isEncrypted ? { ...tls, host } : null, options)
    else this.#agent = isEncrypted ? new HttpsAgent({ ...options, ...tls }) : new Agent(options)
    this.#client = createClient({
      url: `${isEncrypted ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
      username,
      password: password ?? '',
      database: schema ?? database,
      application: 'Parquetry',
      request_timeout: Math.ceil(timeoutMs + graceMs),
      compression: { response: false, request: false },
      http_agent: this.#agent,
      log: { level: ClickHouseLogLevel.OFF },
    })
    this.#settings = {
      ...outputSettings,
      default_format: format,
      max_execution_time: Math.max(1, Math.ceil(timeoutMs / 1000)),
      ...(!allowDml && { readonly: 2, cancel_http_readonly_queries_on_client_close: 1 }),
    }
  }

  /**
   * Sends a statement and gives its answer as it comes.
   * @param written what the asker wrote and how many bytes of ours stand before it; null where the text is ours
   * @throws AppError with the server's message; `connection_*`
   */
  async ask(
    { sql, values, queryId, signal }: ClickhouseRequest,
    written: { sql: string; before: number } | null,
  ): Promise<Readable> {
    const answer = await this.#client
      .exec({
        query: sql,
        query_id: queryId,
        query_params: Object.fromEntries(values.map((value, at) => [`p${at + 1}`, value])),
        clickhouse_settings: this.#settings,
        abort_signal: signal,
        ignore_error_response: true,
      })
      .catch((error: unknown) => {
        throw toConnectError(error)
      })
    const { stream, http_status_code: status = 0, response_headers: headers } = answer
    if (status !== 200 || headers['x-clickhouse-exception-code'] !== undefined) {
      const said = await readErrorText(stream)
      // Whatever answers in another way is no server of this kind, and what it is is nobody's business.
      if (!isException(said))
        throw new AppError('connection_failed', { cause: new Error(`${status}: ${said.slice(0, 200)}`) })
      throw clickhouseError(said, written?.sql ?? null, written?.before)
    }
    const given = headers['x-clickhouse-format']
    if (given === undefined || given === format) return stream
    stream.destroy()
    throw new AppError('sql_not_allowed', {
      message: message(
        'errors.engines.clickhouseFormat',
        'Remove FORMAT from the query. The result format is set automatically.',
      ),
    })
  }

  /** The server ends a statement that may still run, whatever its connection does. */
  async kill(queryId: string): Promise<void> {
    try {
      const { stream } = await this.#client.exec({
        query: `KILL QUERY WHERE query_id = '${queryId}' ASYNC`,
        abort_signal: AbortSignal.timeout(killMs),
        ignore_error_response: true,
      })
      await readErrorText(stream)
    } catch (error) {
      // A server that cannot be told has its own limit of time.
      if (error instanceof TypeError) throw error
    }
  }

  close(): void {
    this.#agent.destroy()
  }
}

async function readErrorText(stream: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxErrorBytes) break
  }
  return Buffer.concat(chunks).toString()
}
