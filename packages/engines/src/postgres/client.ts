import pg from 'pg'
import { AppError } from '@parquetry/model'
import type { SessionContext } from '../shared/driver.ts'
import type { Settings } from './engine.ts'
import { postgresError } from './errors.ts'

/** A connection that was reset is kept this long for the next job of the same settings. */
const keepMs = 30_000
const keepMost = 4
const connectMs = 10_000

interface Kept {
  client: pg.Client
  timer: NodeJS.Timeout
  drop: () => void
}
const kept = new Map<string, Kept[]>()

function config(settings: Settings): pg.ClientConfig {
  const { host, port, database, username, password, encryption, query = {} } = settings
  const missing = ['host', 'database', 'username'].filter((name) => !settings[name as keyof Settings])
  if (missing.length)
    throw new AppError('connection_missing', {
      message: `Settings of the connection are missing: ${missing.join(', ')}.`,
    })
  const sslmode = query['sslmode'] ?? (encryption ? 'require' : 'disable')
  return {
    host,
    port,
    database,
    user: username,
    password: password ?? '',
    ssl: /^(require|verify-)/.test(sslmode) ? { rejectUnauthorized: sslmode.startsWith('verify-') } : false,
    connectionTimeoutMillis: connectMs,
    application_name: query['application_name'] ?? 'Parquetry',
    keepAlive: true,
  }
}

export async function connect(settings: Settings): Promise<pg.Client> {
  const client = new pg.Client(config(settings))
  // A connection that breaks while nobody waits for it must not end the process.
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    throw postgresError(error, null)
  }
  return client
}

const quoted = pg.escapeIdentifier

/**
 * A connection in a known state: UTC, ISO dates, the schema alone in the path, and without DML a read-only transaction that
 * lasts as long as the session, because a session's default could be changed by `set_config`.
 */
export async function take(settings: Settings, { schema, timeoutMs, allowDml }: SessionContext): Promise<pg.Client> {
  const idle = takeKept(settings)
  const client = idle ?? (await connect(settings))
  const start = [
    `SET statement_timeout = ${Math.max(1, Math.ceil(timeoutMs))}`,
    `SET TimeZone = 'UTC'`,
    `SET DateStyle = 'ISO'`,
    `SET IntervalStyle = 'postgres'`,
    `SET bytea_output = 'hex'`,
    `SET extra_float_digits = 1`,
    `SET default_transaction_read_only = ${allowDml ? 'off' : 'on'}`,
    ...(schema ? [`SET search_path = ${quoted(schema)}`] : []),
    ...(allowDml ? [] : ['BEGIN READ ONLY']),
  ]
  try {
    await client.query(start.join('; '))
    return client
  } catch (error) {
    await client.end().catch(() => {})
    // A kept connection may have been cut meanwhile; a new one tells what is wrong.
    if (idle) return take(settings, { schema, timeoutMs, allowDml })
    throw postgresError(error, null)
  }
}

/** Ends whatever is open and forgets everything that was set, then keeps the connection for a while. */
export async function giveBack(settings: Settings, client: pg.Client): Promise<void> {
  const key = keyOf(settings)
  const list = kept.get(key) ?? []
  kept.set(key, list)
  try {
    await client.query('ROLLBACK')
    await client.query('DISCARD ALL')
    if (list.length >= keepMost) throw new Error('enough are kept')
    const drop = () => {
      const at = list.findIndex((entry) => entry.client === client)
      if (at >= 0) list.splice(at, 1)
      void client.end().catch(() => {})
    }
    list.push({ client, drop, timer: setTimeout(drop, keepMs).unref() })
    client.once('end', drop)
  } catch {
    await client.end().catch(() => {})
  }
}

function takeKept(settings: Settings): pg.Client | null {
  const found = kept.get(keyOf(settings))?.pop()
  if (!found) return null
  clearTimeout(found.timer)
  found.client.off('end', found.drop)
  return found.client
}

const keyOf = (settings: Settings) => JSON.stringify(settings)
