import Type, { type Static } from 'typebox'
import { message } from '@parquetry/model/message'
import type { Engine } from '../engine.ts'
import { invalidUri } from '../uri.ts'
import { dialect } from './dialect.ts'

const Settings = Type.Object({
  /** A user's file or folder below PARQUETRY_FILES; without it the tables are stored in our data folder. */
  path: Type.Optional(
    Type.String({ title: 'File', description: 'A Parquet, CSV or JSON file, or a folder of such files', minLength: 1 }),
  ),
})
type Settings = Static<typeof Settings>

export const duckdb: Engine = {
  name: 'duckdb',
  title: 'DuckDB',
  kind: 'embedded',
  dialect,
  defaultSchema: 'main',
  supports: { catalogs: false, estimate: false, createAs: false, impersonate: false },
  settings: Settings,
  schemes: ['duckdb'],
  drivers: ['duckdb_engine'],
  // The cloud service has the scheme of the files.
  otherProduct: (uri) => (/^\s*duckdb:\/\/\/?(md|motherduck):/i.test(uri) ? 'motherduck' : undefined),
  uriExample: 'duckdb:////path/to/file.parquet',
  fromUri(uri) {
    const path = /^duckdb:\/\/(?:\/(.*))?$/i.exec(uri.trim())
    if (!path)
      throw invalidUri(message('errors.engines.duckdbUri', 'The URI must have the form duckdb:////path/to/file.'))
    if (/[?#]/.test(path[1] ?? ''))
      throw invalidUri(message('errors.engines.duckdbParameters', 'A DuckDB URI cannot have parameters.'))
    return path[1] && path[1] !== ':memory:' ? { path: path[1] } : {}
  },
  toUri(settings) {
    const { path } = settings as Settings
    return path ? `duckdb:///${path}` : 'duckdb://'
  },
}
