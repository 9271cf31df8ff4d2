import Type, { type Static } from 'typebox'
import type { Engine } from '../engine.ts'
import { mask, parseUri, wrongUri } from '../uri.ts'
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
  supports: { catalogs: false, estimate: true, createAs: true },
  settings: Settings,
  schemes: ['postgresql', 'postgres', 'postgresql+psycopg2', 'postgresql+psycopg'],
  drivers: ['psycopg2'],
  queryParameters: ['sslmode', 'application_name'],
  uriExample: 'postgresql://user:password@host:port/dbname[?key=value&key=value...]',
  fromUri(uri) {
    const { scheme, username, password, host, port, path, query } = parseUri(uri)
    if (!host) throw wrongUri('The host is missing.')
    if (!path) throw wrongUri('The name of the database is missing.')
    const number = port === '' ? 5432 : Number(port)
    if (number < 1 || number > 65_535) throw wrongUri('The port is not between 1 and 65535.')
    const driver = scheme.split('+')[1]
    return {
      host,
      port: number,
      database: path,
      username,
      ...(password !== undefined && { password }),
      ...(Object.keys(query).length > 0 && { query }),
      ...(driver !== undefined && { driver }),
    } satisfies Settings
  },
  toUri(settings, masked) {
    const { host, port, database, username, password, query, driver } = settings as Settings
    const secret = password === undefined ? '' : `:${masked ? mask : encodeURIComponent(password)}`
    const user = username ? `${encodeURIComponent(username)}${secret}@` : ''
    const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
    const search = query && Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : ''
    return `postgresql${driver ? `+${driver}` : ''}://${user}${address}/${encodeURIComponent(database)}${search}`
  },
}
