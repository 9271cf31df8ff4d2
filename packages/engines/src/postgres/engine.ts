import { type DatabaseSettings, databaseSettings, databaseUri, readDatabaseUri } from '../database-settings.ts'
import type { Engine } from '../engine.ts'
import { dialect } from './dialect.ts'
import { knownNames } from './known-names.ts'

export const Settings = databaseSettings(5432)
export type Settings = DatabaseSettings

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
  fromUri: (uri) => readDatabaseUri(uri, 5432),
  toUri: (settings, masked) => databaseUri('postgresql', settings as Settings, masked),
}
