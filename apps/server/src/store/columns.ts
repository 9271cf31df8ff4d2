import type { CreateTableBuilder, Kysely } from 'kysely'

/** Column definitions for migrations, written once for both databases. */
export const columnTypesFor = (kind: 'sqlite' | 'postgres') => ({
  kind,
  /** Integers up to 2^53. */
  integer: kind === 'sqlite' ? ('integer' as const) : ('bigint' as const),
  bytes: kind === 'sqlite' ? ('blob' as const) : ('bytea' as const),
  /** A primary key whose numbers are never reused. */
  id: <T extends string>(table: CreateTableBuilder<T>) =>
    kind === 'sqlite'
      ? table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      : table.addColumn('id', 'bigserial', (column) => column.primaryKey()),
})

export type Columns = ReturnType<typeof columnTypesFor>

/** One step of the schema. It sees the tables of its time, not today's, so they are untyped here. */
export type Migration = (db: Kysely<Record<string, never>>, columns: Columns) => Promise<void>
