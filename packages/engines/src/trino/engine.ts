import Type, { type Static } from 'typebox'
import { message } from '@parquetry/model/message'
import type { Engine } from '../engine.ts'
import { parseUri, parseServer, buildUri, invalidUri } from '../uri.ts'
import { dialect } from './dialect.ts'

const httpsPort = 443

/** Field names match the API's `parameters` where it has them. */
export const Settings = Type.Object({
  host: Type.String({ title: 'Host', minLength: 1 }),
  port: Type.Integer({ title: 'Port', default: 8080, minimum: 1, maximum: 65_535 }),
  catalog: Type.String({ title: 'Catalog', minLength: 1 }),
  /** Schema of unqualified names if a query specifies none. */
  schema: Type.Optional(Type.String({ title: 'Schema' })),
  username: Type.String({ title: 'Username', minLength: 1 }),
  /** Sent only over encrypted connections. */
  password: Type.Optional(Type.String({ title: 'Password', secret: true })),
  encryption: Type.Optional(Type.Boolean({ title: 'Encrypt connection (HTTPS)', default: false })),
  /** Additional parameters of the URI; `verify`, `source` and `session.<property>` are supported. */
  query: Type.Optional(Type.Record(Type.String(), Type.String(), { title: 'Additional parameters' })),
})
export type Settings = Static<typeof Settings>

/** Unless specified otherwise, connections with a password or the HTTPS port are encrypted. */
const isEncryptedByItself = (password: string | undefined, port: number) => password !== undefined || port === httpsPort

export const trino: Engine = {
  name: 'trino',
  title: 'Trino',
  kind: 'network',
  dialect,
  defaultSchema: 'default',
  schemaOf: ({ schema }) => (typeof schema === 'string' ? schema : 'default'),
  runsUnparsed: true,
  partitionMacros: ['trino', 'presto'],
  supports: { catalogs: true, estimate: true, createAs: true, impersonate: true },
  settings: Settings,
  schemes: ['trino', 'trino+rest'],
  drivers: ['rest'],
  queryParameters: ['verify', 'source', 'session.*'],
  uriExample: 'trino://user:password@host:port/catalog/schema[?key=value&key=value...]',
  fromUri(uri) {
    const parts = parseUri(uri)
    const { password, path, query } = parts
    const [catalog = '', schema = '', ...more] = path.split('/')
    if (!catalog) throw invalidUri(message('errors.engines.noCatalog', 'The catalog name is missing.'))
    if (more.length > 0)
      throw invalidUri(
        message('errors.engines.trinoPath', 'The path of the URI can contain only a catalog and a schema.'),
      )
    // Connection strings of other products name the protocol in both ways.
    const { http_scheme, protocol = http_scheme, ...others } = query
    if (protocol !== undefined && protocol !== 'http' && protocol !== 'https')
      throw invalidUri(message('errors.engines.trinoProtocol', 'The protocol must be http or https.'))
    const server = parseServer(parts, password === undefined && protocol !== 'https' ? 8080 : httpsPort)
    const encryption = protocol ? protocol === 'https' : isEncryptedByItself(password, server.port)
    return {
      ...server,
      catalog,
      ...(schema !== '' && { schema }),
      encryption,
      ...(Object.keys(others).length > 0 && { query: others }),
    } satisfies Settings
  },
  toUri(settings, masked) {
    const { catalog, schema, encryption = false, query, ...server } = settings as Settings
    const isUsual = encryption === isEncryptedByItself(server.password, server.port)
    const search = { ...query, ...(!isUsual && { protocol: encryption ? 'https' : 'http' }) }
    return buildUri('trino', server, schema ? [catalog, schema] : [catalog], search, masked)
  },
}
