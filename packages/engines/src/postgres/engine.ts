import Type, { type Static } from 'typebox'
import type { Engine } from '../engine.ts'
import { parseUri, serverOf, uriOf, wrongUri } from '../uri.ts'
import { dialect } from './dialect.ts'
import { knownNames } from './known-names.ts'

/** Field names are those of the API's `parameters`. */
export const Settings = Type.Object({
  host: Type.String({ title: 'Host', minLength: 1 }),
  port: Type.Integer({ title: 'Port', default: 5432, minimum: 1, maximum: 65_535 }),
  database: Type.String({ title: 'Database name', minLength: 1 }),
  username: Type.String({ title: 'User name', minLength: 1 }),
  password: Type.Optional(Type.String({ title: 'Password', secret: true })),
  encryption: Type.Optional(Type.Boolean({ title: 'Encrypt the connection (SSL)', default: false })),
  /** More parameters of the URI; `sslmode` and `application_name` are understood. */
  query: Type.Optional(Type.Record(Type.String(), Type.String(), { title: 'Additional parameters' })),
  /** The driver that a URI named (`psycopg2`): kept so that the URI is shown as it was given. */
  driver: Type.Optional(Type.String()),
})
export type Settings = Static<typeof Settings>

export const postgres: Engine = {
  name: 'postgresql',
  title: 'PostgreSQL',
  kind: 'network',
  dialect,
  defaultSchema: 'public',
  knownNames,
  supports: { catalogs: false, estimate: true, createAs: true, impersonate: false },
  settings: Settings,
  schemes: ['postgresql', 'postgres', 'postgresql+psycopg2', 'postgresql+psycopg'],
  drivers: ['psycopg2'],
  queryParameters: ['sslmode', 'application_name'],
  uriExample: 'postgresql://user:password@host:port/dbname[?key=value&key=value...]',
  fromUri(uri) {
    const parts = parseUri(uri)
    const { scheme, path, query } = parts
    const server = serverOf(parts, 5432)
    if (!path) throw wrongUri('The name of the database is missing.')
    const driver = scheme.split('+')[1]
    return {
      ...server,
      database: path,
      ...(Object.keys(query).length > 0 && { query }),
      ...(driver !== undefined && { driver }),
    } satisfies Settings
  },
  toUri(settings, masked) {
    const { database, query = {}, driver, ...server } = settings as Settings
    return uriOf(driver ? `postgresql+${driver}` : 'postgresql', server, [database], query, masked)
  },
}
