import { type Engine, engineOf } from '@parquetry/engines'
import { AppError, type Source } from '@parquetry/model'
import type { Kysely, Selectable } from 'kysely'
import { join } from 'node:path'
import type { Deps } from '../deps.ts'
import type { DatabaseTable, Tables } from '../store/tables.ts'

export type DatabaseRow = Selectable<DatabaseTable>
export type SourceDeps = Pick<Deps, 'keys' | 'settings'> & { db: Kysely<Tables> }

/** @throws AppError `unsupported` for a database of an engine that this server does not have */
export function engineFor({ backend }: Pick<DatabaseRow, 'backend'>): Engine {
  const engine = engineOf(backend)
  if (!engine) throw new AppError('unsupported', { message: `This server has no engine named ${backend}.` })
  return engine
}

/** Folder of the table files of an embedded database. */
export const folderOf = (home: string, uuid: string): string => join(home, 'data', uuid)

/** Settings of a connection with its secrets, in the clear: for runners and for comparing, never for an answer. */
export function settingsOf({ keys }: Pick<Deps, 'keys'>, database: DatabaseRow): Record<string, unknown> {
  const open = JSON.parse(database.settings) as Record<string, unknown>
  if (database.secrets === null) return open
  return { ...open, ...(JSON.parse(keys.decrypt(database.secrets, database.uuid)) as Record<string, unknown>) }
}

/**
 * Where a stored database's statements run. It holds secrets: it goes to a runner and nowhere else.
 * @param schema  schema that unqualified names of users' SQL mean; engines without schemas ignore it
 */
export async function sourceOf(deps: SourceDeps, database: DatabaseRow, schema: string | null = null): Promise<Source> {
  const engine = engineFor(database)
  if (engine.kind === 'network')
    return { kind: 'network', engine: engine.name, id: database.uuid, settings: settingsOf(deps, database), schema }
  const files = await deps.db
    .selectFrom('embedded_table')
    .selectAll()
    .where('database_id', '=', database.id)
    .orderBy('name')
    .execute()
  return {
    kind: 'embedded',
    engine: 'duckdb',
    id: database.uuid,
    folder: folderOf(deps.settings.home, database.uuid),
    tables: files.map(({ name, file, version, format, inner_table }) => ({
      name,
      file,
      version,
      format: format as 'duckdb' | 'parquet' | 'csv' | 'json',
      table: inner_table,
    })),
  }
}
