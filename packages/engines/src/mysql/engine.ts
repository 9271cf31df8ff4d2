import { message } from '@parquetry/model/message'
import {
  type DatabaseSettings,
  createDatabaseSettings,
  buildDatabaseUri,
  parseDatabaseUri,
} from '../database-settings.ts'
import type { Engine } from '../engine.ts'
import { dialect } from './dialect.ts'
import { safeMysqlNames } from './safe-names.ts'

export const Settings = createDatabaseSettings(3306)
export type Settings = DatabaseSettings

/** Drivers that a URI may name; all of them mean our client. */
const clients = [
  'mysqldb',
  'pymysql',
  'mysqlconnector',
  'mariadbconnector',
  'mysqlclient',
  'cymysql',
  'asyncmy',
  'aiomysql',
]

/**
 * Parameters of other clients that name files with certificates. The files are not read, but a connection that had them was
 * encrypted and stays so, and the server must present a certificate that is trusted here.
 */
const certificateParameters = ['ssl_ca', 'ssl_capath', 'ssl_cert', 'ssl_key', 'ssl_verify_cert'] as const

/** True if the parameters of a URI require that the server proves who it is. */
export const requiresVerification = (query: Record<string, string>): boolean =>
  query['ssl_mode']?.toUpperCase().startsWith('VERIFY_') === true ||
  certificateParameters.some((name) => query[name] !== undefined)

export const mysql: Engine = {
  name: 'mysql',
  title: 'MySQL',
  kind: 'network',
  dialect,
  defaultSchema: '',
  safeNames: safeMysqlNames,
  schemaOf: ({ database }) => String(database),
  runsUnparsed: true,
  supports: { catalogs: false, estimate: true, createAs: true, impersonate: false },
  settings: Settings,
  schemes: ['mysql', 'mariadb'].flatMap((scheme) => [scheme, ...clients.map((client) => `${scheme}+${client}`)]),
  drivers: ['mysqldb'],
  // `charset` and the time limit are accepted but ours apply; options that name files or let the server request them are not
  // allowed.
  queryParameters: ['ssl', 'ssl_mode', 'charset', 'connect_timeout'],
  describedParameters: certificateParameters,
  describeUri({ query }) {
    const names = certificateParameters.filter((name) => Object.hasOwn(query, name))
    if (names.length === 0) return []
    return [
      message(
        'errors.engines.certificateFiles',
        'The connection is encrypted, but the files in {names} are not read. Enter the CA certificate in the connection, if the server needs one.',
        { names: names.join(', ') },
      ),
    ]
  },
  encryptedQuery: (query) => ({ ...query, ssl: '1' }),
  uriExample: 'mysql://user:password@host:port/dbname[?key=value&key=value...]',
  fromUri: (uri) => parseDatabaseUri(uri, 3306),
  toUri: (settings, masked) => buildDatabaseUri('mysql', settings as Settings, masked),
}
