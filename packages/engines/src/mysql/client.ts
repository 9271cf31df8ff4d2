import mysql, { type Connection, type ConnectionOptions } from 'mysql2'
import { AppError } from '@parquetry/model/errors'
import { requireSettings } from '../shared/connect-error.ts'
import type { SessionContext, ConnectionRoute } from '../shared/driver.ts'
import { IdleConnections } from '../shared/idle-connections.ts'
import { buildTlsOptions } from '../shared/tls.ts'
import type { Settings } from './engine.ts'
import { mysqlConnectError, mysqlError } from './errors.ts'

/** From the first packet until the server is ready: a connection test is to end within ten seconds. */
const connectMs = 9000

const idleConnections = new IdleConnections<Connection>(closeMysqlClient)

function resolveTlsOptions({ encryption, query = {} }: Settings, way: ConnectionRoute) {
  const mode = query['ssl_mode']?.toUpperCase() ?? ''
  const isVerified = mode.startsWith('VERIFY_')
  const isAsked =
    way.serverCert || encryption || mode === 'REQUIRED' || isVerified || ['1', 'true'].includes(query['ssl'] ?? '')
  if (!isAsked || (mode === 'DISABLED' && !way.serverCert)) return undefined
  const checks = buildTlsOptions(way, isVerified)
  return { ...checks, verifyIdentity: checks.rejectUnauthorized && mode !== 'VERIFY_CA' }
}

function config(settings: Settings, way: ConnectionRoute): ConnectionOptions {
  const { host, port, database, username, password } = settings
  requireSettings(settings, ['host', 'database', 'username'])
  const ssl = resolveTlsOptions(settings, way)
  return {
    host,
    port,
    database,
    user: username,
    password: password ?? '',
    ...(ssl && { ssl }),
    charset: 'UTF8MB4_UNICODE_CI',
    // A server may not ask for files of this machine, nor may a text hold two statements.
    flags: ['-LOCAL_FILES'],
    multipleStatements: false,
    rowsAsArray: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    jsonStrings: true,
    connectTimeout: 0,
    connectAttributes: { program_name: 'Parquetry' },
  }
}

/** @throws AppError `connection_*` */
export async function connectMysql(settings: Settings, way: ConnectionRoute): Promise<Connection> {
  const own = config(settings, way)
  const since = performance.now()
  const socket = way.dial ? await way.dial() : null
  const client = mysql.createConnection({ ...own, ...(socket && { stream: socket }) })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(
    () => reject(new AppError('connection_failed')),
    Math.max(1000, connectMs - (performance.now() - since)),
  )
  client.connect((error) => (error ? reject(error) : resolve()))
  // A connection that breaks while nobody waits for it must not end the process.
  client.on('error', reject)
  try {
    await promise
    return client
  } catch (error) {
    destroyMysqlClient(client)
    throw mysqlConnectError(error, settings)
  } finally {
    clearTimeout(timer)
  }
}

/** Ends a connection without waiting for its server. */
export const destroyMysqlClient = (client: Connection): void =>
  (client as unknown as { stream: { destroy(): void } }).stream.destroy()

/** One statement of ours, its rows as arrays of what the client makes of them. */
export const queryMysql = (client: Connection, sql: string, values: unknown[] = []): Promise<unknown[][]> =>
  new Promise((resolve, reject) => {
    const lost = (error: Error) => reject(error)
    client.once('error', lost)
    client.query(sql, values, (error, rows) => {
      client.off('error', lost)
      if (error) reject(error)
      else resolve(rows as unknown as unknown[][])
    })
  })

export const quoteMysqlIdentifier = (name: string): string => `\`${name.replaceAll('`', '``')}\``

/** Modes that change how a text is cut would let it mean another thing to the server than to us. */
const withoutLexicalModes = [
  'ANSI',
  'ANSI_QUOTES',
  'NO_BACKSLASH_ESCAPES',
  'ORACLE',
  'MSSQL',
  'DB2',
  'MAXDB',
  'POSTGRESQL',
].reduce((modes, mode) => `REPLACE(${modes}, ',${mode},', ',')`, `CONCAT(',', @@sql_mode, ',')`)

/** Whole settings of a session; MariaDB and MySQL call the time limit differently, and the latter has it for SELECT alone. */
function sessionVariables(client: Connection, timeoutMs: number): string {
  const limit = isMariadb(client)
    ? `max_statement_time = ${Math.max(0.001, timeoutMs / 1000)}`
    : `max_execution_time = ${Math.max(1, Math.ceil(timeoutMs))}`
  return [
    `time_zone = '+00:00'`,
    `sql_mode = ${withoutLexicalModes}`,
    ...['client', 'connection', 'results'].map((what) => `character_set_${what} = utf8mb4`),
    // AVG of whole numbers has four digits after the point otherwise.
    'div_precision_increment = 12',
    // A reader that waits for somebody's slow download is no dead one.
    'net_write_timeout = 3600',
    limit,
  ].join(', ')
}

const isMariadb = (client: Connection): boolean => /mariadb/i.test(serverVersionOf(client))

const serverVersionOf = (client: Connection): string =>
  (client as unknown as { _handshakePacket?: { serverVersion?: string } })._handshakePacket?.serverVersion ?? ''

/** DML and DDL are refused by the server itself until the session says otherwise. */
export const setReadOnlySql = 'SET SESSION TRANSACTION READ ONLY'

/**
 * A connection in a known state: UTC, UTF-8, backslashes in texts, the schema chosen, and without DML a session whose
 * transactions are all read-only.
 */
export async function acquireMysqlClient(settings: Settings, context: SessionContext): Promise<Connection> {
  const { schema, timeoutMs, allowDml } = context
  const idle = idleConnections.acquire(settings, context)
  const client = idle ?? (await connectMysql(settings, context))
  const timer = setTimeout(() => destroyMysqlClient(client), connectMs)
  try {
    await queryMysql(client, `USE ${quoteMysqlIdentifier(schema ?? settings.database)}`)
    await queryMysql(client, `SET SESSION ${sessionVariables(client, timeoutMs)}`)
    if (!allowDml) await queryMysql(client, setReadOnlySql)
    return client
  } catch (error) {
    destroyMysqlClient(client)
    // A kept connection may have been cut meanwhile; a new one tells what is wrong.
    if (idle) return acquireMysqlClient(settings, context)
    throw mysqlError(error, null)
  } finally {
    clearTimeout(timer)
  }
}

/** Ends whatever is open and forgets everything that was set, then keeps the connection for a while. */
export async function releaseMysqlClient(settings: Settings, way: ConnectionRoute, client: Connection): Promise<void> {
  try {
    await reset(client)
  } catch {
    return closeMysqlClient(client)
  }
  idleConnections.release(settings, way, client)
}

/** Says goodbye, and cuts the connection when nobody listens any more. */
export function closeMysqlClient(client: Connection): void {
  const timer = setTimeout(() => destroyMysqlClient(client), 1000).unref()
  client.end(() => {
    clearTimeout(timer)
    destroyMysqlClient(client)
  })
}

const reset = (client: Connection): Promise<void> =>
  new Promise((resolve, reject) => {
    client.once('error', reject)
    const timer = setTimeout(() => reject(new Error('no response to a reset')), 5000)
    const done = (error: Error | null) => {
      clearTimeout(timer)
      client.off('error', reject)
      if (error) reject(error)
      else resolve()
    }
    ;(client as unknown as { reset(done: (error: Error | null) => void): void }).reset(done)
  })
