import Type, { type Static } from 'typebox'
import type { Engine } from '../engine.ts'
import { parseUri, serverOf, uriOf, wrongUri } from '../uri.ts'
import { dialect } from './dialect.ts'
import { knownNames } from './known-names.ts'

/** Field names are those of the API's `parameters`. */
export const Settings = Type.Object({
  host: Type.String({ title: 'Host', minLength: 1 }),
  port: Type.Integer({ title: 'Port', default: 3306, minimum: 1, maximum: 65_535 }),
  database: Type.String({ title: 'Database name', minLength: 1 }),
  username: Type.String({ title: 'User name', minLength: 1 }),
  password: Type.Optional(Type.String({ title: 'Password', secret: true })),
  encryption: Type.Optional(Type.Boolean({ title: 'Encrypt the connection (SSL)', default: false })),
  /** More parameters of the URI: those of `understood`, nothing else. */
  query: Type.Optional(Type.Record(Type.String(), Type.String(), { title: 'Additional parameters' })),
  /** The driver that a URI named (`pymysql`): kept so that the URI is shown as it was given. */
  driver: Type.Optional(Type.String()),
})
export type Settings = Static<typeof Settings>

/** `charset` and the time limit are ours whatever they say; options that name files or let the server ask for them are none. */
const understood = new Set(['ssl', 'ssl_mode', 'charset', 'connect_timeout'])

/** Drivers that a URI may name; all of them are ours. */
const clients = ['mysqldb', 'pymysql', 'mysqlconnector', 'mariadbconnector', 'mysqlclient']

/** @throws AppError `bad_request` */
export function checkOptions({ query = {} }: Pick<Settings, 'query'>): void {
  const wrong = Object.keys(query).find((name) => !understood.has(name))
  if (wrong !== undefined) throw wrongUri(`The parameter "${wrong}" is not understood here.`)
}

export const mysql: Engine = {
  name: 'mysql',
  title: 'MySQL',
  kind: 'network',
  dialect,
  defaultSchema: '',
  knownNames,
  schemaOf: ({ database }) => String(database),
  runsUnread: true,
  supports: { catalogs: false, estimate: true, createAs: true, impersonate: false },
  settings: Settings,
  schemes: ['mysql', 'mariadb'].flatMap((scheme) => [scheme, ...clients.map((client) => `${scheme}+${client}`)]),
  drivers: ['mysqldb'],
  queryParameters: ['ssl', 'ssl_mode', 'charset', 'connect_timeout'],
  uriExample: 'mysql://user:password@host:port/dbname[?key=value&key=value...]',
  fromUri(uri) {
    const parts = parseUri(uri)
    const { scheme, path, query } = parts
    const server = serverOf(parts, 3306)
    if (!path) throw wrongUri('The name of the database is missing.')
    checkOptions({ query })
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
    return uriOf(driver ? `mysql+${driver}` : 'mysql', server, [database], query, masked)
  },
}
