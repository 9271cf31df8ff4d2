// `node clickhouse-server.ts <folder of chdb> <port>`: a ClickHouse server for tests. It serves the HTTP interface of ClickHouse and
// runs queries in the engine as a library. It supports settings, parameters, formats, query ids, KILL QUERY, and errors in the
// middle of a response.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The parts of chdb that are used. */
interface Session {
  query(sql: string): string
  queryAsync(sql: string, options: { format: string }): Promise<{ bytes(): Uint8Array }>
  queryStream(sql: string, options: { format: string }): AsyncIterable<{ raw(): Uint8Array }>
  close(): void
}
const [folder = '', port = '0'] = process.argv.slice(2)
const { Session: Open } = createRequire(join(folder, 'package.json'))('chdb') as {
  Session: new (path: string) => Session
}

const data = mkdtempSync(join(tmpdir(), 'parquetry-clickhouse-'))
/** Keeps the engine open between queries. */
const first = new Open(data)
const version = first.query('SELECT version()').trim().replaceAll('"', '')
process.on('exit', () => rmSync(data, { recursive: true, force: true }))

const users = new Map([
  ['default', ''],
  ['lab', 'lab'],
])

/** URL parameters that are not settings. */
const interfaceParameters =
  /^(query|database|default_format|query_id|session_id|user|password|role|compress|decompress|enable_http_compression|wait_end_of_query|buffer_size|cancel_http_readonly_queries_on_client_close|send_progress_in_http_headers|http_headers_progress_interval_ms)$/

const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`

/** Opens a session with the settings of a request. The query id is stored in `log_comment` to find the query later. */
function open(parameters: URLSearchParams, queryId: string): Session {
  const session = new Open(data)
  const settings = [...parameters].filter(([name]) => !interfaceParameters.test(name))
  const late = settings.filter(([name]) => name === 'readonly')
  // Unlike the library, a server rejects expressions without SELECT.
  session.query(`SET implicit_select = 0, log_comment = ${quoted(queryId)}`)
  for (const [name, value] of [...settings.filter(([name]) => name !== 'readonly'), ...late])
    session.query(`SET ${name} = ${quoted(value)}`)
  const database = parameters.get('database')
  if (database) session.query(`USE \`${database.replaceAll('`', '``')}\``)
  return session
}

const toHttpStatus = (code: string) => ({ 62: 400, 47: 404, 60: 404, 81: 404, 516: 403, 159: 408 })[code] ?? 500

/** The error message of the engine, followed by the version, as a server sends it. */
function failure(error: unknown): { text: string; code: string } {
  const message = (error instanceof Error ? error.message : String(error)).replace(/^Query failed: /, '')
  return {
    text: `${message} (version ${version} (official build))\n`,
    code: /^Code: (\d+)/.exec(message)?.[1] ?? '1000',
  }
}

function fail(response: ServerResponse, error: unknown): void {
  const { text, code } = failure(error)
  response.writeHead(toHttpStatus(code), { 'X-ClickHouse-Exception-Code': code, 'Content-Type': 'text/plain' })
  response.end(text)
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://clickhouse')
  if (pathname === '/ping') return void response.end('Ok.\n')
  const [user = 'default', password = ''] = credentials(request, searchParams)
  if (users.get(user) !== password)
    return fail(
      response,
      `Code: 516. DB::Exception: ${user}: Authentication failed: password is incorrect, or there is no user with such name. (AUTHENTICATION_FAILED)`,
    )
  const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString()
  const sql = [searchParams.get('query') ?? '', body].filter(Boolean).join('\n')
  const queryId = searchParams.get('query_id') ?? crypto.randomUUID()
  const format = /\bFORMAT\s+(\w+)\s*;?\s*$/i.exec(sql)?.[1] ?? searchParams.get('default_format') ?? 'TabSeparated'
  const tag = randomBytes(8).toString('hex')
  response.setHeader('X-ClickHouse-Query-Id', queryId)
  response.setHeader('X-ClickHouse-Server-Display-Name', 'chdb')
  response.setHeader('X-ClickHouse-Timezone', 'UTC')
  response.setHeader('X-ClickHouse-Format', format)
  response.setHeader('X-ClickHouse-Exception-Tag', tag)
  let session: Session | undefined
  let isGone = false
  response.on('close', () => {
    isGone = !response.writableFinished
    if (
      isGone &&
      searchParams.get('cancel_http_readonly_queries_on_client_close') === '1' &&
      searchParams.has('readonly')
    )
      void kill(queryId)
  })
  try {
    session = open(searchParams, queryId)
    if (/^\s*KILL\b/i.test(sql)) response.write((await session.queryAsync(replaceQueryIds(sql), { format })).bytes())
    else if (/^[\s(]*(SELECT|WITH)\b/i.test(sql.replace(/^(\s*--[^\n]*\n|\s*\/\*[^]*?\*\/)+/, '')))
      await stream(session.queryStream(sql, { format }), response, format)
    else response.write((await session.queryAsync(sql, { format })).bytes())
    response.end()
  } catch (error) {
    if (!response.headersSent) fail(response, error)
    else if (!isGone) {
      const { text } = failure(error)
      response.write(`\r\n__exception__\r\n${tag}\r\n${text}${Buffer.byteLength(text)} ${tag}\r\n__exception__\r\n`)
      response.end()
    }
  } finally {
    session?.close()
  }
}

/** Every chunk of the library repeats names and types, which a server sends once. */
function stripHeader(bytes: Buffer, head: Buffer): Buffer {
  return head.length > 0 && bytes.subarray(0, head.length).equals(head) ? bytes.subarray(head.length) : bytes
}

const readHeader = (bytes: Buffer, format: string): Buffer => {
  const lines = format.endsWith('WithNamesAndTypes') ? 2 : format.endsWith('WithNames') ? 1 : 0
  let end = 0
  for (let line = 0; line < lines; line++) end = bytes.indexOf('\n', end) + 1
  return bytes.subarray(0, end)
}

/** Streams chunks with backpressure. Stops when the client disconnects; the query itself ends when it is killed. */
async function stream(
  chunks: AsyncIterable<{ raw(): Uint8Array }>,
  response: ServerResponse,
  format: string,
): Promise<void> {
  let head: Buffer | null = null
  for await (const chunk of chunks) {
    if (response.destroyed) return
    const bytes = Buffer.from(chunk.raw())
    const piece: Buffer = head === null ? bytes : stripHeader(bytes, head)
    head ??= readHeader(bytes, format)
    if (!response.write(piece))
      await new Promise<void>((resolve) => {
        response.once('drain', resolve)
        response.once('close', resolve)
      })
  }
}

/** The engine assigns its own query ids, so ours are looked up in `log_comment`. */
const replaceQueryIds = (sql: string) => sql.replace(/\bquery_id\b/g, "Settings['log_comment']")

async function kill(queryId: string): Promise<void> {
  const session = new Open(data)
  try {
    await session.queryAsync(`KILL QUERY WHERE Settings['log_comment'] = ${quoted(queryId)} ASYNC`, { format: 'Null' })
  } finally {
    session.close()
  }
}

function credentials({ headers }: IncomingMessage, parameters: URLSearchParams): string[] {
  const [, basic] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? []
  if (basic) return Buffer.from(basic, 'base64').toString().split(/:(.*)/s)
  return [
    String(headers['x-clickhouse-user'] ?? parameters.get('user') ?? 'default'),
    String(headers['x-clickhouse-key'] ?? parameters.get('password') ?? ''),
  ]
}

const server = createServer(
  (request, response) => void answer(request, response).catch((error: unknown) => fail(response, error)),
)
server.listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'))
// Standard input is a pipe to the parent process. The server exits when the parent does.
process.stdin.resume().on('end', () => process.exit(0))
process.on('SIGTERM', () => process.exit(0))
