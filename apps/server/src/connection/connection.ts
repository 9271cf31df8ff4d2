import {
  type Engine,
  engineOf,
  findEngineByUri,
  findImportedEngine,
  findUnusedParameters,
  maskSecret,
  secretMask,
  unsupportedEngine,
  unsupportedEngineMessage,
} from '@parquetry/engines'
import { AppError, type DatabasePost, isDeepEqual, message, type Message, type Tunnel } from '@parquetry/model'
import { fieldMessages } from '../http/check-fields.ts'
import { unprocessableFields, invalidPayload } from '../http/writing.ts'
import { driverOf, requiredParameters } from './parameters.ts'
import { readServerCert } from './server-cert.ts'
import { readTunnel } from './ssh-tunnel.ts'

export type ConnectionSettings = Record<string, unknown>

/** Connection to a database, including secrets. */
export interface Connection {
  engine: Engine
  settings: ConnectionSettings
  /** PEM. */
  serverCert: string | null
  tunnel: Tunnel | null
}

type ConnectionBody = Pick<
  DatabasePost,
  'sqlalchemy_uri' | 'engine' | 'backend' | 'parameters' | 'driver' | 'server_cert' | 'ssh_tunnel'
>

/** Rules for accepting connection strings and tunnels. */
export interface ConnectionRules {
  /** Setting PREVENT_UNSAFE_DB_CONNECTIONS: engines that read files of the server are rejected. */
  preventUnsafe: boolean
  /** Flag SSH_TUNNELING. */
  tunnels: boolean
  /** Connections that cannot be opened here, and parameters without effect, are kept; they come from another installation. */
  isImport?: boolean
}

/** @throws AppError `engine_unsupported` for a connection that is only kept */
export function requireSupported(engine: Engine): void {
  if (!engine.isUnsupported) return
  const code = 'engine_unsupported'
  // Its `error_type` is that of other errors, too, so pages recognize it by this detail.
  throw new AppError(code, { message: unsupportedEngineMessage(engine), details: { code } })
}

export const secretNames = ({ settings }: Engine): string[] =>
  Object.entries(settings.properties)
    .filter(([, property]) => (property as { secret?: boolean }).secret === true)
    .map(([name]) => name)

export const unsafeEngineMessage = (engine: string): Message =>
  message('errors.connection.unsafe', '{engine} cannot be used as a data source for security reasons.', { engine })
const unsafeSqlite = unsafeEngineMessage('SQLiteDialect_pysqlite')

/** Files of another server: imported so that datasets and charts on them stay, and never opened under this name. */
const refusedFiles = unsupportedEngine('sqlite_file')

/** Returns an obvious problem of a connection string; undefined when there is none. */
export function findUriProblem(uri: string, preventUnsafe: boolean): Message | undefined {
  if (preventUnsafe && /^\s*sqlite(\+\w+)?:/i.test(uri)) return unsafeSqlite
  if (!/^\s*[a-z][a-z0-9+.-]*:\/\//i.test(uri))
    return message(
      'errors.connection.uri',
      'Invalid connection string, a valid string usually follows: backend+driver://user:password@database-host/database-name',
    )
  if (/[?&](password|passwd|pwd|sslpassword)=/i.test(uri))
    return message(
      'errors.connection.passwordInQuery',
      'Enter the password before the host, not in the parameters of the connection string.',
    )
  return undefined
}

/** @throws AppError `invalid_payload` for a parameter that the engine does not list as supported */
function checkQuery(engine: Engine, { query = {} }: { query?: Record<string, unknown> }): void {
  const { title, queryParameters = [] } = engine
  const unknown = findUnusedParameters(engine, query)
  if (unknown.length === 0) return
  const names = { engine: title, n: unknown.length, names: unknown.join(', ') }
  const known = queryParameters.join(', ')
  const text =
    known === ''
      ? message(
          'errors.connection.noQuery',
          '{engine} connections do not support parameters. Remove {n, plural, one {the parameter} other {the parameters}} {names}.',
          names,
        )
      : message(
          'errors.connection.query',
          '{engine} connections do not support {n, plural, one {the parameter} other {the parameters}} {names}. Supported parameters: {known}.',
          { ...names, known },
        )
  throw invalidPayload({ query: [text] })
}

/** Masks secrets in parameters without effect, which would be stored unencrypted. */
function maskUnusedParameters(engine: Engine, settings: ConnectionSettings): ConnectionSettings {
  const { query } = settings as { query?: Record<string, string> }
  if (!query) return settings
  const masked = findUnusedParameters(engine, query).map((name) => [name, maskSecret(name, String(query[name]))])
  return { ...settings, query: { ...query, ...Object.fromEntries(masked) } }
}

export const missingParametersMessage = (missing: readonly string[]): Message =>
  message('errors.connection.missing', 'One or more parameters are missing: {names}', { names: missing.join(', ') })

export const noParametersMessage = (engine: string): Message =>
  message('errors.connection.noParameters', 'Engine "{engine}" cannot be configured through parameters.', { engine })

/** @throws AppError `connection_missing`, `invalid_payload` by field */
function checkSettings(engine: Engine, settings: ConnectionSettings): void {
  const missing = requiredParameters(engine).filter((name) => settings[name] === undefined)
  if (missing.length > 0)
    throw new AppError('connection_missing', { message: missingParametersMessage(missing), details: { missing } })
  const fieldErrors = fieldMessages(engine.settings, settings)
  // For valid settings `fieldMessages` returns only the general `_schema` message, because only the compiled check would know
  // better.
  if (!Object.hasOwn(fieldErrors, '_schema')) throw invalidPayload({ parameters: fieldErrors })
  checkQuery(engine, settings)
}

function parseParameters(
  engine: Engine,
  parameters: ConnectionSettings,
  driver: string | null | undefined,
): ConnectionSettings {
  const supported = new Set(Object.keys(engine.settings.properties))
  const unknown = Object.keys(parameters).filter((name) => !supported.has(name) && name !== 'ssh')
  if (unknown.length > 0) {
    const text = message('errors.fields.unknown', 'Unknown field.')
    throw invalidPayload({ parameters: Object.fromEntries(unknown.map((name) => [name, [text]])) })
  }
  const { ssh: _, ...fields } = parameters
  const settings = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ''))
  return {
    ...settings,
    ...(typeof settings['port'] === 'string' && { port: Number(settings['port']) }),
    ...(driver && supported.has('driver') && { driver }),
  }
}

/** @param storedEngine  that of the parameters if the body names none */
function parseEngineSettings(
  body: ConnectionBody,
  { preventUnsafe, isImport }: ConnectionRules,
  storedEngine: Engine | undefined,
): { engine: Engine; settings: ConnectionSettings } | undefined {
  if (body.sqlalchemy_uri) {
    const found = (isImport ? findImportedEngine : findEngineByUri)(body.sqlalchemy_uri)
    const engine = isImport && preventUnsafe && found?.name === 'sqlite' ? refusedFiles : found
    const problem = engine?.isUnsupported ? undefined : findUriProblem(body.sqlalchemy_uri, preventUnsafe)
    if (problem) throw invalidPayload({ sqlalchemy_uri: [problem] })
    if (!engine)
      throw new AppError('unprocessable', {
        message: message('errors.connection.failed', 'Connection failed, please check your connection settings'),
      })
    const read = engine.fromUri(body.sqlalchemy_uri)
    if (!isImport) checkQuery(engine, read)
    const settings = isImport ? maskUnusedParameters(engine, read) : read
    return { engine, settings: { ...settings, ...(body.parameters?.['encryption'] === true && { encryption: true }) } }
  }
  if (!body.parameters) return undefined
  const hasParameters = Object.keys(body.parameters).length > 0
  const name = body.engine ?? body.backend ?? (hasParameters ? storedEngine?.name : undefined)
  if (!name) return undefined
  const engine = engineOf(name)
  if (!engine) throw new AppError('unprocessable', { message: noParametersMessage(name) })
  if (preventUnsafe && engine.name === 'sqlite') throw invalidPayload({ parameters: [unsafeSqlite] })
  const settings = parseParameters(engine, body.parameters, body.driver)
  checkSettings(engine, settings)
  return { engine, settings }
}

/** Target and account of a connection, including the tunnel. A masked secret may be reused only while they are unchanged. */
const endpointKey = ({ engine, settings, tunnel }: Connection): string =>
  JSON.stringify([
    engine.name,
    settings['host'],
    settings['port'],
    settings['username'],
    // Of engines that are not supported, the parts of the address are not known.
    settings['address'],
    driverOf(engine, settings),
    tunnel && [tunnel.server_address, tunnel.server_port],
  ])

function secretsRequiredError(names: readonly string[]): AppError {
  const text = message(
    'errors.connection.passwordAgain',
    'Enter the password again, because the host, port, username, driver or tunnel has changed.',
  )
  return unprocessableFields({
    sqlalchemy_uri: [text],
    ...Object.fromEntries(names.map((name) => [name, [text]])),
  })
}

/**
 * Replaces masks sent by the client with the stored secrets. With another host, port, user, driver or tunnel the secret would be
 * sent to a different party, so it is not reused.
 * @throws AppError `unprocessable` when the secret must be entered again
 */
function restoreSecrets(received: Connection, stored: Connection | undefined): Connection {
  const masked = secretNames(received.engine).filter((name) => received.settings[name] === secretMask)
  if (masked.length === 0) return received
  if (!stored || endpointKey(received) !== endpointKey(stored)) throw secretsRequiredError(masked)
  const restored = Object.fromEntries(
    masked.map((name) => [name, stored.settings[name]]).filter(([, value]) => value !== undefined),
  )
  const rest = Object.entries(received.settings).filter(([name]) => !masked.includes(name))
  return { ...received, settings: { ...Object.fromEntries(rest), ...restored } }
}

/**
 * An engine or driver without the URI or parameters of a connection changes nothing.
 * @throws AppError `invalid_payload` for one that is neither the stored nor the new one
 */
function refuseIgnoredFields({ engine, backend, driver }: ConnectionBody, stored: Connection, received: Connection) {
  const connections = [stored, received]
  const text = message(
    'errors.connection.ignored',
    'The connection does not have this value. Change it with sqlalchemy_uri, or with engine and parameters.',
  )
  const isEngine = (name: string) =>
    connections.some((connection) => connection.engine.name === (engineOf(name)?.name ?? name))
  const isDriver = (name: string) =>
    connections.some(({ engine: { settings, drivers }, ...connection }) =>
      Object.hasOwn(settings.properties, 'driver')
        ? driverOf({ drivers }, connection.settings) === name
        : drivers.includes(name),
    )
  const fields = {
    ...(engine && !isEngine(engine) && { engine: [text] }),
    ...(backend && !isEngine(backend) && { backend: [text] }),
    ...(driver && !isDriver(driver) && { driver: [text] }),
  }
  if (Object.keys(fields).length > 0) throw invalidPayload(fields)
}

/**
 * Reads the connection of a body, by URI or by the fields of the form, with masks replaced by secrets. Stored values remain when
 * the body omits them. Undefined when neither the body nor `stored` has a connection.
 * @param stored  undefined for a new database
 * @throws AppError `invalid_payload` for an invalid connection string; `unprocessable` for an unsupported engine, and
 * for a secret that must be entered again
 */
export function readConnection(
  body: ConnectionBody,
  stored: Connection | undefined,
  rules: ConnectionRules,
): Connection | undefined {
  const isUnchanged = stored && body.sqlalchemy_uri === stored.engine.toUri(stored.settings, true)
  const parsed = isUnchanged ? stored : (parseEngineSettings(body, rules, stored?.engine) ?? stored)
  if (!parsed) return undefined
  const { engine, settings } = parsed
  const received: Connection = {
    engine,
    settings,
    serverCert: readServerCert(body.server_cert, stored?.serverCert ?? null),
    tunnel: readTunnel(body.ssh_tunnel, stored?.tunnel ?? null, rules.tunnels),
  }
  if (stored) refuseIgnoredFields(body, stored, received)
  if (received.tunnel && engine.kind === 'embedded')
    throw unprocessableFields({
      ssh_tunnel: [
        message('errors.connection.noNetwork', '{engine} does not use the network, so it cannot use an SSH tunnel.', {
          engine: engine.title,
        }),
      ],
    })
  if (parsed !== stored) return restoreSecrets(received, stored)
  const secrets = secretNames(engine).filter((name) => settings[name] !== undefined)
  if (secrets.length > 0 && endpointKey(received) !== endpointKey(stored)) throw secretsRequiredError(secrets)
  return received
}

const toComparable = ({ engine, settings, serverCert, tunnel }: Connection): unknown =>
  JSON.parse(JSON.stringify([engine.name, settings, serverCert, tunnel]))

export const isSameConnection = (a: Connection, b: Connection): boolean => isDeepEqual(toComparable(a), toComparable(b))

/** Settings in the form that their URI has, which other products read: `encryption` is a parameter where it has no other place. */
export function toPortableSettings(engine: Engine, settings: ConnectionSettings): ConnectionSettings {
  const { encryption, ...others } = settings
  if (!engine.encryptedQuery || encryption === undefined) return settings
  const query = (settings['query'] ?? {}) as Record<string, string>
  return encryption ? { ...others, query: engine.encryptedQuery(query) } : others
}
