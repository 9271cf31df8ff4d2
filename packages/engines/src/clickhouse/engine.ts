import Type, { type Static } from 'typebox'
import type { Engine } from '../engine.ts'
import { mask, parseUri, wrongUri } from '../uri.ts'
import { dialect } from './dialect.ts'

/** Field names are those of the API's `parameters`. */
export const Settings = Type.Object({
  host: Type.String({ title: 'Host', minLength: 1 }),
  port: Type.Integer({ title: 'Port', default: 8123, minimum: 1, maximum: 65_535 }),
  database: Type.String({ title: 'Database name', default: 'default', minLength: 1 }),
  username: Type.String({ title: 'User name', default: 'default', minLength: 1 }),
  password: Type.Optional(Type.String({ title: 'Password', secret: true })),
  encryption: Type.Optional(Type.Boolean({ title: 'Encrypt the connection (HTTPS)', default: false })),
  /** More parameters of the URI; `verify` is understood. */
  query: Type.Optional(Type.Record(Type.String(), Type.String(), { title: 'Additional parameters' })),
})
export type Settings = Static<typeof Settings>

const portOf = (encryption: boolean) => (encryption ? 8443 : 8123)
const securePorts = new Set([443, 8443])

export const clickhouse: Engine = {
  name: 'clickhouse',
  title: 'ClickHouse',
  kind: 'network',
  dialect,
  defaultSchema: 'default',
  schemaOf: ({ database }) => String(database),
  supports: { catalogs: false, estimate: true, createAs: true },
  settings: Settings,
  schemes: [
    'clickhousedb',
    'clickhousedb+connect',
    'clickhouse',
    'clickhouse+http',
    'clickhouse+https',
    'clickhouse+connect',
  ],
  drivers: ['connect'],
  queryParameters: ['verify'],
  uriExample: 'clickhousedb://user:password@host:port/dbname[?secure=true&key=value...]',
  fromUri(uri) {
    const { scheme, username, password, host, port, path, query } = parseUri(uri)
    if (!host) throw wrongUri('The host is missing.')
    const { secure, protocol, ...others } = query
    const isSecure = scheme.endsWith('+https') || protocol === 'https' || /^(true|1|yes)$/i.test(secure ?? '')
    const encryption = isSecure || (secure === undefined && protocol === undefined && securePorts.has(Number(port)))
    const number = port === '' ? portOf(encryption) : Number(port)
    if (number < 1 || number > 65_535) throw wrongUri('The port is not between 1 and 65535.')
    return {
      host,
      port: number,
      database: path || 'default',
      username: username || 'default',
      ...(password !== undefined && { password }),
      encryption,
      ...(Object.keys(others).length > 0 && { query: others }),
    } satisfies Settings
  },
  toUri(settings, masked) {
    const { host, port, database, username, password, encryption = false, query } = settings as Settings
    const secret = password === undefined ? '' : `:${masked ? mask : encodeURIComponent(password)}`
    const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
    const search = new URLSearchParams({
      ...query,
      ...(encryption !== securePorts.has(port) && { secure: String(encryption) }),
    })
    const user = `${encodeURIComponent(username)}${secret}`
    return `clickhousedb://${user}@${address}/${encodeURIComponent(database)}${search.size > 0 ? `?${search}` : ''}`
  },
}
