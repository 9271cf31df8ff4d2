import Type, { type Static } from 'typebox'
import { message } from '@parquetry/model/message'
import type { Engine } from '../engine.ts'
import { parseUri, parseServer, buildUri } from '../uri.ts'
import { dialect } from './dialect.ts'
import { safeClickhouseNames } from './safe-names.ts'

/** Field names match the API's `parameters`. */
export const Settings = Type.Object({
  host: Type.String({ title: 'Host', minLength: 1 }),
  port: Type.Integer({ title: 'Port', default: 8123, minimum: 1, maximum: 65_535 }),
  database: Type.String({ title: 'Database name', default: 'default', minLength: 1 }),
  username: Type.String({ title: 'Username', default: 'default', minLength: 1 }),
  password: Type.Optional(Type.String({ title: 'Password', secret: true })),
  encryption: Type.Optional(Type.Boolean({ title: 'Encrypt connection (HTTPS)', default: false })),
  /** Additional parameters of the URI; only `verify` is supported. */
  query: Type.Optional(Type.Record(Type.String(), Type.String(), { title: 'Additional parameters' })),
})
export type Settings = Static<typeof Settings>

const defaultPort = (encryption: boolean) => (encryption ? 8443 : 8123)
const securePorts = new Set([443, 8443])

/** Drivers of the native protocol, and the HTTP ports that servers use beside its usual ports. */
const nativeSchemes = ['clickhouse+native', 'clickhouse+asynch', 'clickhousedb+native', 'clickhousedb+asynch']
const httpPorts: Readonly<Record<string, string>> = { 9000: '8123', 9440: '8443' }
const toHttpPort = (scheme: string, port: string): string =>
  nativeSchemes.includes(scheme) ? (httpPorts[port] ?? port) : port

export const clickhouse: Engine = {
  name: 'clickhouse',
  title: 'ClickHouse',
  kind: 'network',
  dialect,
  defaultSchema: 'default',
  safeNames: safeClickhouseNames,
  schemaOf: ({ database }) => String(database),
  runsUnparsed: true,
  supports: { catalogs: false, estimate: true, createAs: true, impersonate: false },
  settings: Settings,
  schemes: [
    'clickhousedb',
    'clickhousedb+connect',
    'clickhouse',
    'clickhouse+http',
    'clickhouse+https',
    'clickhouse+connect',
    ...nativeSchemes,
  ],
  drivers: ['connect'],
  queryParameters: ['verify'],
  uriExample: 'clickhousedb://user:password@host:port/dbname[?secure=true&key=value...]',
  fromUri(uri) {
    const found = parseUri(uri)
    const { scheme, path, query } = found
    const port = toHttpPort(scheme, found.port)
    const parts = { ...found, port }
    const { secure, protocol, ...others } = query
    const isSecure = scheme.endsWith('+https') || protocol === 'https' || /^(true|1|yes)$/i.test(secure ?? '')
    const encryption = isSecure || (secure === undefined && protocol === undefined && securePorts.has(Number(port)))
    const server = parseServer(parts, defaultPort(encryption))
    return {
      ...server,
      username: server.username || 'default',
      database: path || 'default',
      encryption,
      ...(Object.keys(others).length > 0 && { query: others }),
    } satisfies Settings
  },
  describeUri({ scheme, port }) {
    const httpPort = toHttpPort(scheme, port)
    if (!nativeSchemes.includes(scheme)) return []
    return [
      httpPort === port
        ? message(
            'errors.engines.clickhouseHttp',
            'ClickHouse is queried over HTTP instead of its native protocol. Check that the port is that of the HTTP interface.',
          )
        : message(
            'errors.engines.clickhousePort',
            'ClickHouse is queried over HTTP instead of its native protocol, so port {native} was replaced by {http}.',
            { native: port, http: httpPort },
          ),
    ]
  },
  toUri(settings, masked) {
    const { database, encryption = false, query, ...server } = settings as Settings
    const search = { ...query, ...(encryption !== securePorts.has(server.port) && { secure: String(encryption) }) }
    return buildUri('clickhousedb', server, [database], search, masked)
  },
}
