import type { CreateTableBuilder, Kysely } from 'kysely'

/** What migrations say of columns, written once for both databases. */
export const columnTypesFor = (kind: 'sqlite' | 'postgres') => ({
  /** Whole numbers up to 2^53. */
  integer: kind === 'sqlite' ? ('integer' as const) : ('bigint' as const),
  bytes: kind === 'sqlite' ? ('blob' as const) : ('bytea' as const),
  /** A primary key whose numbers are never used twice. */
  id: <T extends string>(table: CreateTableBuilder<T>) =>
    kind === 'sqlite'
      ? table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      : table.addColumn('id', 'bigserial', (column) => column.primaryKey()),
})

export type Columns = ReturnType<typeof columnTypesFor>

/** One step of the store's shape. It knows the tables of its own time, not today's, so they are untyped here. */
export type Migration = (db: Kysely<Record<string, never>>, columns: Columns) => Promise<void>
