import { databaseDefaults } from './database/database-defaults.ts'
import type { TestServer } from './testing.ts'

/** Stores a database without files, for tests that never query it. Returns its id. */
export async function addDatabase({ deps }: TestServer, own: { database_name?: string } = {}): Promise<number> {
  const { id } = await deps.db
    .insertInto('database')
    .values({
      uuid: crypto.randomUUID(),
      database_name: 'examples',
      backend: 'duckdb',
      sqlalchemy_uri: 'duckdb://',
      settings: '{}',
      secrets: null,
      ...databaseDefaults,
      created_on: '2026-01-01T00:00:00.000',
      changed_on: '2026-01-01T00:00:00.000',
      created_by_fk: null,
      changed_by_fk: null,
      ...own,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
