import Type, { type Static } from 'typebox'
import { message } from '@parquetry/model/message'
import { parseUri, parseServer, buildUri, invalidUri } from './uri.ts'

/** Settings of a connection to one database of a server. Field names match the API's `parameters`. */
export const createDatabaseSettings = (usualPort: number) =>
  Type.Object({
    host: Type.String({ title: 'Host', minLength: 1 }),
    port: Type.Integer({ title: 'Port', default: usualPort, minimum: 1, maximum: 65_535 }),
    database: Type.String({ title: 'Database name', minLength: 1 }),
    username: Type.String({ title: 'Username', minLength: 1 }),
    password: Type.Optional(Type.String({ title: 'Password', secret: true })),
    encryption: Type.Optional(Type.Boolean({ title: 'Encrypt connection (SSL)', default: false })),
    /** Additional parameters of the URI, limited to `queryParameters` of the engine. */
    query: Type.Optional(Type.Record(Type.String(), Type.String(), { title: 'Additional parameters' })),
    /** The driver that a URI named (`psycopg2`), stored so that the URI is shown as entered. */
    driver: Type.Optional(Type.String()),
  })
export type DatabaseSettings = Static<ReturnType<typeof createDatabaseSettings>>

/** Reads `scheme[+driver]://user:password@host:port/database?a=b`. @throws AppError `bad_request` */
export function parseDatabaseUri(uri: string, usualPort: number): DatabaseSettings {
  const parts = parseUri(uri)
  const { scheme, path, query } = parts
  const server = parseServer(parts, usualPort)
  if (!path) throw invalidUri(message('errors.engines.noDatabase', 'The database name is missing.'))
  const driver = scheme.split('+')[1]
  return {
    ...server,
    database: path,
    ...(Object.keys(query).length > 0 && { query }),
    ...(driver !== undefined && { driver }),
  }
}

/** The reverse of `parseDatabaseUri`. @param masked  see `buildUri` */
export function buildDatabaseUri(
  scheme: string,
  { database, query = {}, driver, ...server }: DatabaseSettings,
  masked: boolean,
): string {
  return buildUri(driver ? `${scheme}+${driver}` : scheme, server, [database], query, masked)
}
