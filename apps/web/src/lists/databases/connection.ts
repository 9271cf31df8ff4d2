import type { AvailableEngine, SettingSchema } from '@parquetry/model'
import type { Translate } from '@parquetry/ui'

/** Placeholder for a secret in API responses; sending it back keeps the stored secret. */
export const secretMask = 'XXXXXXXXXX'

/** An engine as listed by `GET /api/v1/database/available/`; an engine unknown to the server has only a name. */
export type Engine = Pick<AvailableEngine, 'name' | 'engine' | 'available_drivers' | 'preferred'> &
  Partial<Omit<AvailableEngine, 'engine_information'>> & {
    engine_information?: Partial<AvailableEngine['engine_information']>
  }

/** Pairs are edited as a list, so that a name may be empty or duplicated while typing. */
export type Pair = readonly [name: string, value: string]
export type ConnectionParameters = Record<string, string | number | boolean | readonly Pair[]>

export interface SshTunnel {
  server_address: string
  server_port: number | null
  username: string
  by: 'password' | 'private_key'
  password: string
  private_key: string
  private_key_password: string
  /** Fingerprint of the server on first connection. */
  host_key: string | null
}

export interface ConnectionDraft {
  name: string
  /** Edited as fields of the engine, or as one connection string. */
  by: 'fields' | 'uri'
  parameters: ConnectionParameters
  uri: string
  /** Null for a direct connection. */
  tunnel: SshTunnel | null
  serverCert: string
}

export interface ConnectionField {
  name: string
  /** Allowed names of a list of pairs; null for any. */
  names: readonly string[] | null
  kind: 'text' | 'number' | 'secret' | 'flag' | 'pairs'
  /** English label from the engine, used without a translation. */
  label: string
  help: string
  required: boolean
  minimum: number | undefined
  maximum: number | undefined
}

/** Explains a connection of a product that cannot be connected to. */
export const unsupportedText = (product: string, t: Translate): string =>
  t(
    'lists.connect.unsupported',
    'Parquetry cannot connect to {product}. The connection was kept so that its datasets and charts stay intact. To use them, enter the connection string of a supported database.',
    { product },
  )

/** True if the engine reads a file of the server, so it has no address that a tunnel or encryption could protect. */
export const isFileEngine = ({ engine_information }: Engine): boolean =>
  engine_information?.disable_ssh_tunneling === true

function toFieldKind({ type, secret }: SettingSchema): ConnectionField['kind'] {
  if (secret) return 'secret'
  if (type === 'boolean') return 'flag'
  if (type === 'integer' || type === 'number') return 'number'
  return type === 'object' ? 'pairs' : 'text'
}

const formOf = ({ parquetry }: Engine) => parquetry?.form ?? { properties: {}, required: [] }

/** Fields of an engine's form, in the engine's order. */
export function listFields(engine: Engine): ConnectionField[] {
  const { properties, required } = formOf(engine)
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    names: name === 'query' ? (engine.parquetry?.query_parameters ?? null) : null,
    kind: toFieldKind(schema),
    label: schema.title ?? name,
    help: schema.description ?? '',
    required: required.includes(name),
    minimum: schema.minimum,
    maximum: schema.maximum,
  }))
}

/** Initial field values: the engine's defaults. */
export const buildDefaults = (engine: Engine): ConnectionParameters =>
  Object.fromEntries(
    Object.entries(formOf(engine).properties).flatMap(([name, { default: value }]) =>
      value === undefined || value === false ? [] : [[name, value]],
    ),
  )

export const newTunnel = (): SshTunnel => ({
  server_address: '',
  server_port: 22,
  username: '',
  by: 'password',
  password: '',
  private_key: '',
  private_key_password: '',
  host_key: null,
})

export const createConnectionDraft = (engine: Engine): ConnectionDraft => ({
  name: engine.name,
  by: engine.parquetry ? 'fields' : 'uri',
  parameters: buildDefaults(engine),
  uri: '',
  tunnel: null,
  serverCert: '',
})

/** DB-007: converts name-value pairs to the map that the API accepts; pairs without a name are dropped. */
export const pairsToMap = (list: readonly Pair[]): Record<string, string> =>
  Object.fromEntries(list.filter(([name]) => name.trim() !== '').map(([name, value]) => [name.trim(), value]))

/** Converts stored parameters to their form state. */
export const toParameters = (stored: Record<string, unknown>): ConnectionParameters =>
  Object.fromEntries(
    Object.entries(stored).flatMap(([name, value]): [string, ConnectionParameters[string]][] => {
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return [[name, value]]
      if (typeof value !== 'object' || value === null) return []
      return [[name, Object.entries(value).map(([key, text]): Pair => [key, String(text)])]]
    }),
  )

/** True if a list of pairs has a name twice, of which only one value could be sent. */
export const hasRepeatedName = (value: ConnectionParameters[string] | undefined): boolean => {
  const names = typeof value === 'object' ? value.flatMap(([name]) => name.trim() || []) : []
  return new Set(names).size < names.length
}

export const isEmpty = (value: ConnectionParameters[string] | undefined): boolean =>
  value === undefined || value === '' || (typeof value === 'object' && value.length === 0)

const toRequestParameters = (parameters: ConnectionParameters): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(parameters)
      .filter(([, value]) => !isEmpty(value))
      .map(([name, value]) => [name, typeof value === 'object' ? pairsToMap(value) : value]),
  )

/** `ssh_tunnel` of a request body, with the secrets of the chosen method only. */
export function tunnelBody(tunnel: SshTunnel | null): Record<string, unknown> | null {
  if (!tunnel) return null
  const { by, password, private_key, private_key_password, ...server } = tunnel
  return {
    ...server,
    ...(by === 'password' && password && { password }),
    ...(by === 'private_key' && private_key && { private_key }),
    ...(by === 'private_key' && private_key_password && { private_key_password }),
  }
}

/** Connection settings of a request body. */
export const connectionBody = (draft: ConnectionDraft, engine: Engine): Record<string, unknown> => ({
  ...(draft.by === 'uri'
    ? { sqlalchemy_uri: draft.uri.trim(), configuration_method: 'sqlalchemy_form' }
    : {
        engine: engine.engine,
        ...(engine.default_driver !== undefined && { driver: engine.default_driver }),
        parameters: toRequestParameters(draft.parameters),
        configuration_method: 'dynamic_form',
      }),
  ssh_tunnel: tunnelBody(draft.tunnel),
  server_cert: draft.serverCert.trim() || null,
})

/**
 * DB-007: request body for validating the fields. If the engine's `catalog` is a list of pairs, it is sent as a map beside the
 * other parameters.
 */
export function validationBody(draft: ConnectionDraft, engine: Engine): Record<string, unknown> {
  const { catalog, ...others } = draft.parameters
  const isList = typeof catalog === 'object'
  return {
    ...connectionBody({ ...draft, by: 'fields', parameters: isList ? others : draft.parameters }, engine),
    database_name: draft.name.trim(),
    ...(isList && { catalog: pairsToMap(catalog) }),
  }
}

/** True if two drafts have the same connection settings, regardless of name. */
export const isSameConnection = (a: ConnectionDraft, b: ConnectionDraft, engine: Engine): boolean =>
  JSON.stringify(connectionBody(a, engine)) === JSON.stringify(connectionBody(b, engine))
