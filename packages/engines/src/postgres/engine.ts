import {
  type DatabaseSettings,
  createDatabaseSettings,
  buildDatabaseUri,
  parseDatabaseUri,
} from '../database-settings.ts'
import type { Engine } from '../engine.ts'
import { dialect } from './dialect.ts'
import { safePostgresNames } from './safe-names.ts'

export const Settings = createDatabaseSettings(5432)
export type Settings = DatabaseSettings

export const postgres: Engine = {
  name: 'postgresql',
  title: 'PostgreSQL',
  kind: 'network',
  dialect,
  defaultSchema: 'public',
  safeNames: safePostgresNames,
  supports: { catalogs: false, estimate: true, createAs: true, impersonate: false },
  settings: Settings,
  schemes: ['postgresql', 'postgres', 'postgresql+psycopg2', 'postgresql+psycopg'],
  drivers: ['psycopg2'],
  queryParameters: ['sslmode', 'application_name'],
  uriExample: 'postgresql://user:password@host:port/dbname[?key=value&key=value...]',
  fromUri: (uri) => parseDatabaseUri(uri, 5432),
  toUri: (settings, masked) => buildDatabaseUri('postgresql', settings as Settings, masked),
}
