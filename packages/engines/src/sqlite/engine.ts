import Type, { type Static } from 'typebox'
import { message } from '@parquetry/model/message'
import type { Engine } from '../engine.ts'
import { invalidUri } from '../uri.ts'
import { dialect } from './dialect.ts'

export const Settings = Type.Object({
  /** Must be below one of the folders in PARQUETRY_FILES. */
  path: Type.String({ title: 'File', description: 'A SQLite database file', minLength: 1 }),
  driver: Type.Optional(Type.String()),
})
export type Settings = Static<typeof Settings>

/** Drivers that a URI may name; all of them mean our client. */
const clients = ['pysqlite', 'aiosqlite']

export const sqlite: Engine = {
  name: 'sqlite',
  title: 'SQLite',
  kind: 'network',
  isFileBased: true,
  dialect,
  defaultSchema: 'main',
  supports: { catalogs: false, estimate: false, createAs: false, impersonate: false },
  settings: Settings,
  schemes: ['sqlite', ...clients.map((client) => `sqlite+${client}`)],
  drivers: ['pysqlite'],
  uriExample: 'sqlite:////path/to/file.db',
  fromUri(uri) {
    const [, driver, path] = /^sqlite(?:\+(\w+))?:\/\/\/(.+)$/i.exec(uri.trim()) ?? []
    if (!path)
      throw invalidUri(message('errors.engines.sqliteUri', 'The URI must have the form sqlite:////path/to/file.'))
    // SQLite itself would interpret such a path as options or as a special database.
    if (/[?#]/.test(path) || /^file:/i.test(path) || path === ':memory:')
      throw invalidUri(
        message('errors.engines.sqliteParameters', 'A SQLite URI must name a file and cannot have parameters.'),
      )
    return { path, ...(driver !== undefined && { driver }) } satisfies Settings
  },
  toUri(settings) {
    const { path, driver } = settings as Settings
    return `sqlite${driver ? `+${driver}` : ''}:///${path}`
  },
}
