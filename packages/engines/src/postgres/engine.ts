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

/** `sslmode`, which drivers of other products also call `ssl`, with `true` for any encryption. */
export function resolveSslMode({ sslmode, ssl }: Record<string, string>): string | undefined {
  if (sslmode !== undefined || ssl === undefined) return sslmode
  return /^(true|1|yes)$/i.test(ssl) ? 'require' : ssl
}

/** Drivers that a URI may name; all of them mean our client. */
const clients = [
  'psycopg2',
  'psycopg',
  'psycopg_async',
  'psycopg2cffi',
  'asyncpg',
  'pg8000',
  'pygresql',
  'pypostgresql',
]

export const postgres: Engine = {
  name: 'postgresql',
  title: 'PostgreSQL',
  kind: 'network',
  dialect,
  defaultSchema: 'public',
  safeNames: safePostgresNames,
  supports: { catalogs: false, estimate: true, createAs: true, impersonate: false },
  settings: Settings,
  schemes: ['postgresql', 'postgres'].flatMap((scheme) => [scheme, ...clients.map((client) => `${scheme}+${client}`)]),
  drivers: ['psycopg2'],
  // `ssl` is `sslmode` in URIs of asyncpg.
  queryParameters: ['sslmode', 'ssl', 'application_name'],
  encryptedQuery: (query) => (resolveSslMode(query) === undefined ? { ...query, sslmode: 'require' } : query),
  uriExample: 'postgresql://user:password@host:port/dbname[?key=value&key=value...]',
  fromUri: (uri) => parseDatabaseUri(uri, 5432),
  toUri: (settings, masked) => buildDatabaseUri('postgresql', settings as Settings, masked),
}
