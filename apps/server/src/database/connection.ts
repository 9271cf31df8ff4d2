import { type Engine, engineOf, engineOfUri, mask } from '@parquetry/engines'
import { AppError, type DatabasePost } from '@parquetry/model'
import { refused, wrongFields } from '../http/writing.ts'
import { placeOf } from './parameters.ts'

export type Settings = Record<string, unknown>

export interface Connection {
  engine: Engine
  /** With secrets. */
  settings: Settings
}

type Told = Pick<DatabasePost, 'sqlalchemy_uri' | 'engine' | 'backend' | 'parameters' | 'driver'>

const secretNames = ({ settings }: Engine): string[] =>
  Object.entries(settings.properties)
    .filter(([, property]) => (property as { secret?: boolean }).secret === true)
    .map(([name]) => name)

/** Settings that may be stored in the clear, and those that may not. */
export function splitSecrets({ engine, settings }: Connection): { open: Settings; secrets: Settings } {
  const secret = new Set(secretNames(engine))
  const entries = Object.entries(settings)
  return {
    open: Object.fromEntries(entries.filter(([name]) => !secret.has(name))),
    secrets: Object.fromEntries(
      entries.filter(([name, value]) => secret.has(name) && value !== undefined && value !== ''),
    ),
  }
}

/** What is wrong with a connection text at first sight; undefined when nothing is. */
export function uriComplaint(uri: string): string | undefined {
  if (/^\s*sqlite(\+\w+)?:/i.test(uri))
    return 'SQLiteDialect_pysqlite cannot be used as a data source for security reasons.'
  if (!/^\s*[a-z][a-z0-9+.-]*:\/\//i.test(uri))
    return 'Invalid connection string, a valid string usually follows: backend+driver://user:password@database-host/database-name'
  if (/[?&](password|passwd|pwd|sslpassword)=/i.test(uri))
    return 'The password belongs before the host, not among the parameters.'
  return undefined
}

function fromParameters(engine: Engine, parameters: Settings, driver: string | null | undefined): Settings {
  const known = new Set(Object.keys(engine.settings.properties))
  const unknown = Object.keys(parameters).filter((name) => !known.has(name) && name !== 'ssh')
  if (unknown.length > 0)
    throw wrongFields({ parameters: Object.fromEntries(unknown.map((name) => [name, ['Unknown field.']])) })
  const { ssh: _, ...given } = parameters
  const settings = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== ''))
  return {
    ...settings,
    ...(typeof settings['port'] === 'string' && { port: Number(settings['port']) }),
    ...(driver && known.has('driver') && { driver }),
  }
}

/**
 * The connection that a body tells, by URI or by the fields of the form; undefined when it tells none.
 * @throws AppError `invalid_payload` for a text that is no connection; `connection_failed` for an engine that we do not have
 */
export function readConnection(body: Told): Connection | undefined {
  if (body.sqlalchemy_uri) {
    const complaint = uriComplaint(body.sqlalchemy_uri)
    if (complaint) throw wrongFields({ sqlalchemy_uri: [complaint] })
    const engine = engineOfUri(body.sqlalchemy_uri)
    if (!engine)
      throw new AppError('unprocessable', { message: 'Connection failed, please check your connection settings' })
    const settings = engine.fromUri(body.sqlalchemy_uri)
    return { engine, settings: { ...settings, ...(body.parameters?.['encryption'] === true && { encryption: true }) } }
  }
  const name = body.engine ?? body.backend
  if (!name || !body.parameters) return undefined
  const engine = engineOf(name)
  if (!engine)
    throw new AppError('unprocessable', { message: `Engine "${name}" cannot be configured through parameters.` })
  return { engine, settings: fromParameters(engine, body.parameters, body.driver) }
}

/**
 * Puts the stored secrets in place of masks that came back. A mask is only as good as the place it was shown for: with another
 * host, port, user or driver it would send the secret to somebody else.
 * @param stored  undefined for a new database
 * @throws AppError `unprocessable` when the secret has to be given again
 */
export function unmask(told: Connection, stored: Connection | undefined): Connection {
  const masked = secretNames(told.engine).filter((name) => told.settings[name] === mask)
  if (masked.length === 0) return told
  if (!stored || placeOf(told.engine, told.settings) !== placeOf(stored.engine, stored.settings))
    throw refused({ sqlalchemy_uri: ['The password must be given again when host, port, user or driver change.'] })
  const kept = Object.fromEntries(
    masked.map((name) => [name, stored.settings[name]]).filter(([, value]) => value !== undefined),
  )
  const rest = Object.entries(told.settings).filter(([name]) => !masked.includes(name))
  return { engine: told.engine, settings: { ...Object.fromEntries(rest), ...kept } }
}
