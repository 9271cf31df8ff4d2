import mysql, { type Connection, type ConnectionOptions } from 'mysql2'
import { AppError } from '@parquetry/model/errors'
import { requireSettings } from '../shared/connect-error.ts'
import type { SessionContext, ConnectionRoute } from '../shared/driver.ts'
import { IdleConnections } from '../shared/idle-connections.ts'
import { buildTlsOptions } from '../shared/tls.ts'
import { requiresVerification, type Settings } from './engine.ts'
import { mysqlConnectError, mysqlError } from './errors.ts'

/** Time limit from the first packet until the server is ready: a connection test should end within ten seconds. */
const connectMs = 9000

const idleConnections = new IdleConnections<Connection>(closeMysqlClient)

function resolveTlsOptions({ encryption, query = {} }: Settings, route: ConnectionRoute) {
  const mode = query['ssl_mode']?.toUpperCase() ?? ''
  const isVerified = requiresVerification(query)
  const isRequested =
    route.serverCert || encryption || mode === 'REQUIRED' || isVerified || ['1', 'true'].includes(query['ssl'] ?? '')
  if (!isRequested || (mode === 'DISABLED' && !route.serverCert)) return undefined
  const checks = buildTlsOptions(route, isVerified)
  return { ...checks, verifyIdentity: checks.rejectUnauthorized && mode !== 'VERIFY_CA' }
}

function config(settings: Settings, route: ConnectionRoute): ConnectionOptions {
  const { host, port, database, username, password } = settings
  requireSettings(settings, ['host', 'database', 'username'])
  const ssl = resolveTlsOptions(settings, route)
  return {
    host,
    port,
    database,
    user: username,
    password: password ?? '',
    ...(ssl && { ssl }),
    charset: 'UTF8MB4_UNICODE_CI',
    // The server must not request files of this machine, and a text must not contain two statements.
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
export async function connectMysql(settings: Settings, route: ConnectionRoute): Promise<Connection> {
  const own = config(settings, route)
  const since = performance.now()
  const socket = route.dial ? await route.dial() : null
  const client = mysql.createConnection({ ...own, ...(socket && { stream: socket }) })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(
    () => reject(new AppError('connection_failed')),
    Math.max(1000, connectMs - (performance.now() - since)),
  )
  client.connect((error) => (error ? reject(error) : resolve()))
  // A connection that breaks while it is idle must not end the process.
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

/** Closes a connection without waiting for its server. */
export const destroyMysqlClient = (client: Connection): void =>
  (client as unknown as { stream: { destroy(): void } }).stream.destroy()

/** Runs one generated statement and returns its rows as arrays of client values. */
export const queryMysql = (client: Connection, sql: string, values: unknown[] = []): Promise<unknown[][]> =>
  new Promise((resolve, reject) => {
    const onConnectionLost = (error: Error) => reject(error)
    client.once('error', onConnectionLost)
    client.query(sql, values, (error, rows) => {
      client.off('error', onConnectionLost)
      if (error) reject(error)
      else resolve(rows as unknown as unknown[][])
    })
  })

export const quoteMysqlIdentifier = (name: string): string => `\`${name.replaceAll('`', '``')}\``

/** Removes modes that change tokenization, because the server would read a text differently than our lexer. */
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

/** All settings of a session. MariaDB and MySQL name the time limit differently, and MySQL applies it only to SELECT. */
function sessionVariables(client: Connection, timeoutMs: number): string {
  const limit = isMariadb(client)
    ? `max_statement_time = ${Math.max(0.001, timeoutMs / 1000)}`
    : `max_execution_time = ${Math.max(1, Math.ceil(timeoutMs))}`
  return [
    `time_zone = '+00:00'`,
    `sql_mode = ${withoutLexicalModes}`,
    ...['client', 'connection', 'results'].map((scope) => `character_set_${scope} = utf8mb4`),
    // Otherwise AVG of integers has four decimal places.
    'div_precision_increment = 12',
    // A reader that waits for a user's slow download is not dead.
    'net_write_timeout = 3600',
    limit,
  ].join(', ')
}

const isMariadb = (client: Connection): boolean => /mariadb/i.test(serverVersionOf(client))

const serverVersionOf = (client: Connection): string =>
  (client as unknown as { _handshakePacket?: { serverVersion?: string } })._handshakePacket?.serverVersion ?? ''

/** Makes the server itself reject DML and DDL until the session changes it. */
export const setReadOnlySql = 'SET SESSION TRANSACTION READ ONLY'

/**
 * Returns a connection in a known state: UTC, UTF-8, backslash escapes, the schema selected, and without DML only read-only
 * transactions.
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
    // A pooled connection may have been cut meanwhile; a new one reports what is wrong.
    if (idle) return acquireMysqlClient(settings, context)
    throw mysqlError(error, null)
  } finally {
    clearTimeout(timer)
  }
}

/** Ends all open work and resets all settings, then returns the connection to the pool for a while. */
export async function releaseMysqlClient(
  settings: Settings,
  route: ConnectionRoute,
  client: Connection,
): Promise<void> {
  try {
    await reset(client)
  } catch {
    return closeMysqlClient(client)
  }
  idleConnections.release(settings, route, client)
}

/** Closes a connection gracefully, and cuts it when the server no longer responds. */
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
