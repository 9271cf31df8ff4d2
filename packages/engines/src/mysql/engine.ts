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
const clients = ['mysqldb', 'pymysql', 'mysqlconnector', 'mariadbconnector', 'mysqlclient']

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
  uriExample: 'mysql://user:password@host:port/dbname[?key=value&key=value...]',
  fromUri: (uri) => parseDatabaseUri(uri, 3306),
  toUri: (settings, masked) => buildDatabaseUri('mysql', settings as Settings, masked),
}
