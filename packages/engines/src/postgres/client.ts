import type { Socket } from 'node:net'
import pg from 'pg'
import { requireSettings } from '../shared/connect-error.ts'
import type { SessionContext, ConnectionRoute } from '../shared/driver.ts'
import { IdleConnections } from '../shared/idle-connections.ts'
import { buildTlsOptions } from '../shared/tls.ts'
import { resolveSslMode, type Settings } from './engine.ts'
import { postgresConnectError, postgresError } from './errors.ts'

/** Time limit from the first packet until the server is ready: a connection test should end within ten seconds. */
const connectMs = 9000
/** Time limit for resetting a connection: a server that is silent for longer must not hold an unused one. */
const resetMs = 5000
const closeTimeoutMs = 1000
/**
 * Interval at which a server checks that its client is still connected, in case our process was killed; only Linux supports it.
 */
const disconnectCheckMs = 2000

const idleConnections = new IdleConnections<pg.Client>((client) => void closePostgresClient(client))

function config(settings: Settings, route: ConnectionRoute): pg.ClientConfig {
  const { host, port, database, username, password, encryption, query = {} } = settings
  requireSettings(settings, ['host', 'database', 'username'])
  const sslmode = resolveSslMode(query) ?? (encryption ? 'require' : 'disable')
  const isEncrypted = Boolean(route.serverCert) || sslmode === 'require' || sslmode.startsWith('verify-')
  const checks = buildTlsOptions(route, sslmode.startsWith('verify-'))
  return {
    host,
    port,
    database,
    user: username,
    password: password ?? '',
    ssl: isEncrypted && { ...checks, ...(sslmode === 'verify-ca' && { checkServerIdentity: () => undefined }) },
    application_name: query['application_name'] ?? 'Parquetry',
    keepAlive: true,
  }
}

/** The client connects its socket itself; a connected one reports success immediately. */
function asConnectedSocket(socket: Socket): Socket {
  socket.connect = () => {
    process.nextTick(() => socket.emit('connect'))
    return socket
  }
  return socket
}

/** The client's own protocol layer, the only source of the transaction status. */
export const connectionOf = (client: pg.Client) =>
  (client as unknown as { connection: NodeJS.EventEmitter & { stream: Socket } }).connection

/** Closes a connection without waiting for its server. */
export const destroyPostgresClient = (client: pg.Client): void => void connectionOf(client).stream.destroy()

/** Closes a connection gracefully, and cuts it when the server no longer responds. */
export async function closePostgresClient(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => destroyPostgresClient(client), closeTimeoutMs)
  await client.end().catch(() => {})
  clearTimeout(timer)
}

export async function connectPostgres(settings: Settings, route: ConnectionRoute): Promise<pg.Client> {
  const own = config(settings, route)
  const since = performance.now()
  const socket = route.dial ? asConnectedSocket(await route.dial()) : null
  const client = new pg.Client({
    ...own,
    ...(socket && { stream: () => socket }),
    connectionTimeoutMillis: Math.max(1000, connectMs - (performance.now() - since)),
  })
  // A connection that breaks while it is idle must not end the process.
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    socket?.destroy()
    throw postgresConnectError(error)
  }
  return client
}

const quoted = pg.escapeIdentifier

/**
 * Returns a connection in a known state: UTC, ISO dates, only the schema in the search path, and without DML a read-only
 * transaction that lasts as long as the session, because `set_config` could change a session default.
 */
export async function acquirePostgresClient(settings: Settings, context: SessionContext): Promise<pg.Client> {
  const { schema, timeoutMs, allowDml } = context
  const idle = idleConnections.acquire(settings, context)
  const client = idle ?? (await connectPostgres(settings, context))
  const start = [
    `SET statement_timeout = ${Math.max(1, Math.ceil(timeoutMs))}`,
    `SET TimeZone = 'UTC'`,
    `SET DateStyle = 'ISO'`,
    `SET IntervalStyle = 'postgres'`,
    `SET bytea_output = 'hex'`,
    `SET extra_float_digits = 1`,
    `SET default_transaction_read_only = ${allowDml ? 'off' : 'on'}`,
    `SELECT set_config('client_connection_check_interval', '${disconnectCheckMs}', false)
      WHERE current_setting('client_connection_check_interval', true) IS NOT NULL AND version() LIKE '%linux%'`,
    ...(schema ? [`SET search_path = ${quoted(schema)}`] : []),
    ...(allowDml ? [] : ['BEGIN READ ONLY']),
  ]
  const timer = setTimeout(() => destroyPostgresClient(client), connectMs)
  try {
    await client.query(start.join('; '))
    return client
  } catch (error) {
    destroyPostgresClient(client)
    // A pooled connection may have been cut meanwhile; a new one reports what is wrong.
    if (idle) return acquirePostgresClient(settings, context)
    throw postgresError(error, null)
  } finally {
    clearTimeout(timer)
  }
}

/** Ends all open work and resets all settings, then returns the connection to the pool for a while. */
export async function releasePostgresClient(
  settings: Settings,
  route: ConnectionRoute,
  client: pg.Client,
): Promise<void> {
  const timer = setTimeout(() => destroyPostgresClient(client), resetMs)
  try {
    await client.query('ROLLBACK')
    await client.query('DISCARD ALL')
  } catch {
    return closePostgresClient(client)
  } finally {
    clearTimeout(timer)
  }
  idleConnections.release(settings, route, client)
}
