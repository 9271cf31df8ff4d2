import Type, { type Static } from 'typebox'
import { openObject, body, nullish, nullable } from './fields.ts'
import { ById } from './resource.ts'
import { defineRoute } from './route.ts'

const read = {
  method: 'GET',
  body: 'none',
  can: ['can_read', 'Database'],
  rate: 'read',
  audit: 'none',
  csrf: 'none',
  errors: 'plain',
  object: 'the database must be visible; objects in it that the caller may not read look missing',
} as const

const ByTable = Type.Object({ id: Type.Integer(), table: Type.String() })
const ByTableAndSchema = Type.Object({ id: Type.Integer(), table: Type.String(), schema: Type.String() })
const TableQuery = Type.Object({
  name: Type.String(),
  schema: Type.Optional(Type.String()),
  catalog: Type.Optional(Type.String()),
})
const ExtraQuery = Type.Object({
  name: Type.Optional(Type.String()),
  /** Parameter name of the first release with this call. */
  table: Type.Optional(Type.String()),
  schema: Type.Optional(Type.String()),
  catalog: Type.Optional(Type.String()),
})
/** A key of a table; a foreign key includes what it refers to. */
export interface TableKey {
  name: string | null
  column_names: string[]
  type: string
  options?: Record<string, unknown>
  referred_columns?: string[]
  referred_schema?: string | null
  referred_table?: string
}
const Key = Type.Unsafe<TableKey>(openObject({ column_names: Type.Array(Type.String()), type: Type.String() }))

/** A table as described by its source. `type` of a column excludes its size, `longType` includes it. */
const TableReply = openObject({
  name: Type.String(),
  columns: Type.Array(
    openObject({
      name: Type.String(),
      type: Type.String(),
      longType: Type.String(),
      keys: Type.Array(Key),
      comment: nullable(Type.String()),
    }),
  ),
  selectStar: Type.String(),
  primaryKey: Key,
  foreignKeys: Type.Array(Key),
  indexes: Type.Array(Key),
  comment: nullable(Type.String()),
  /** Parquetry extension: the row count, if the engine knows it without counting. */
  rows: Type.Optional(nullable(Type.Number())),
})
export type TableMetadata = Static<typeof TableReply>

/** Warning and certification of a table's dataset, shown when browsing tables. */
export interface TableHint {
  warning_markdown?: string
  certification?: { certified_by: string; details: string }
}
/**
 * A table in the list of a schema. `rows` is a Parquetry extension: an estimate from the engine's statistics, present with
 * `page_size`.
 */
const ListedTable = openObject({
  value: Type.String(),
  type: Type.String(),
  extra: Type.Unsafe<TableHint | null>({ type: ['object', 'null'] }),
  rows: Type.Optional(nullable(Type.Number())),
})
export type ListedTable = Static<typeof ListedTable>
const Names = openObject({ result: Type.Array(Type.String()) })
const StarQuery = Type.Object({ catalog: Type.Optional(Type.String()) })

/**
 * Fields of `q` of `tables/` that are not in its schema, because the API prints the schema in messages: `catalog_name`, and as
 * Parquetry extensions for databases with thousands of tables `search` (case-insensitive part of a name), `page` and `page_size`.
 * With `search`, names that start with it come first; `count` is the number of all matches.
 */
export interface TablesQuery {
  force?: boolean
  schema_name: string
  catalog_name?: string | null
  search?: string
  page?: number
  page_size?: number
}

/** `catalog` is not in the schema of `schemas/`, for the same reason. */
export interface SchemasQuery {
  force?: boolean
  catalog?: string
}

/** A problem in an SQL text. Lines and columns count from 1, the end is exclusive; null means unknown. */
export interface SqlDiagnostic {
  line_number: number | null
  start_column: number | null
  end_column: number | null
  message: string
}

export const ValidateSql = body({
  sql: Type.String(),
  catalog: nullish(Type.String()),
  schema: nullish(Type.String()),
  template_params: nullish(Type.Record(Type.String(), Type.Unknown())),
})
export type ValidateSql = Static<typeof ValidateSql>

const diagnosticsReply = Type.Array(Type.Unsafe<SqlDiagnostic>(openObject({ message: Type.String() })))

/** Metadata of a database for editors, below `/api/v1/database/` and under legacy addresses. */
export const databaseMetadataRoutes = {
  catalogs: defineRoute({
    ...read,
    path: '/api/v1/database/:id/catalogs/',
    summary: 'Lists the catalogs that the caller may read; empty for engines without catalogs',
    params: ById,
    rison: Type.Object({ force: Type.Optional(Type.Boolean()) }),
    reply: Names,
    fails: ['not_found', 'connection_failed'],
  }),
  schemas: defineRoute({
    ...read,
    path: '/api/v1/database/:id/schemas/',
    summary: 'Lists the schemas that the caller may read',
    params: ById,
    rison: Type.Unsafe<SchemasQuery>(Type.Object({ force: Type.Optional(Type.Boolean()) })),
    reply: Names,
    fails: ['not_found', 'connection_failed'],
  }),
  tables: defineRoute({
    ...read,
    path: '/api/v1/database/:id/tables/',
    summary: 'Lists the tables of a schema that the caller may read; supports `search`, `page` and `page_size`',
    params: ById,
    rison: Type.Unsafe<TablesQuery>(
      Type.Object({
        force: Type.Optional(Type.Boolean()),
        schema_name: Type.String(),
      }),
    ),
    reply: openObject({ count: Type.Integer(), result: Type.Array(ListedTable) }),
    fails: ['not_found', 'connection_failed'],
  }),
  table: defineRoute({
    ...read,
    path: '/api/v1/database/:id/table/:table/:schema/',
    summary: 'Returns the columns and keys of a table',
    params: ByTableAndSchema,
    reply: TableReply,
    fails: ['not_found', 'unprocessable'],
  }),
  tableMetadata: defineRoute({
    ...read,
    path: '/api/v1/database/:id/table_metadata/',
    summary: 'Returns the columns and keys of a table',
    params: ById,
    query: TableQuery,
    reply: TableReply,
    errors: 'typed',
    fails: ['database_not_found', 'table_not_found', 'unprocessable'],
  }),
  tableExtra: defineRoute({
    ...read,
    path: '/api/v1/database/:id/table_extra/:table/:schema/',
    summary: 'Returns the partitions and view definition of a table, if the engine supports them',
    params: ByTableAndSchema,
    reply: openObject({}),
    fails: ['not_found'],
  }),
  tableMetadataExtra: defineRoute({
    ...read,
    path: '/api/v1/database/:id/table_metadata/extra/',
    summary: 'Returns the partitions and view definition of a table, if the engine supports them',
    params: ById,
    query: ExtraQuery,
    reply: openObject({}),
    errors: 'typed',
    fails: ['bad_request', 'database_not_found', 'table_not_found'],
  }),
  olderExtra: defineRoute({
    ...read,
    path: '/superset/extra_table_metadata/:id/:table/:schema/',
    summary: 'Returns the partitions and view definition of a table, if the engine supports them',
    params: ByTableAndSchema,
    reply: openObject({}),
    errors: 'legacy',
    fails: ['not_found'],
  }),
  selectStar: defineRoute({
    ...read,
    path: '/api/v1/database/:id/select_star/:table/',
    summary: 'Returns SQL that selects all columns of a table',
    params: ByTable,
    query: StarQuery,
    reply: openObject({ result: Type.String() }),
    fails: ['not_found'],
  }),
  selectStarOfSchema: defineRoute({
    ...read,
    path: '/api/v1/database/:id/select_star/:table/:schema/',
    summary: 'Returns SQL that selects all columns of a table',
    params: ByTableAndSchema,
    query: StarQuery,
    reply: openObject({ result: Type.String() }),
    fails: ['not_found'],
  }),
  functionNames: defineRoute({
    ...read,
    path: '/api/v1/database/:id/function_names/',
    summary: 'Lists the function names for autocomplete',
    params: ById,
    reply: openObject({ function_names: Type.Array(Type.String()) }),
    fails: ['not_found'],
  }),
  validate: defineRoute({
    ...read,
    method: 'POST',
    path: '/api/v1/database/:id/validate_sql/',
    summary: 'Validates SQL without running it',
    params: ById,
    body: ValidateSql,
    reply: openObject({ result: diagnosticsReply }),
    rate: 'query',
    csrf: 'token',
    errors: 'typed',
    fails: ['invalid_payload', 'not_found', 'validator_missing', 'validation_failed'],
  }),
  olderValidate: defineRoute({
    ...read,
    method: 'POST',
    path: '/superset/validate_sql_json/',
    summary: 'Validates SQL without running it (form fields `database_id`, `sql`, `schema`, `templateParams`)',
    body: 'form',
    form: Type.Object({
      database_id: Type.String({ pattern: '^\\d{1,15}$' }),
      sql: Type.Optional(Type.String()),
      schema: Type.Optional(Type.String()),
      templateParams: Type.Optional(Type.String()),
    }),
    reply: diagnosticsReply,
    rate: 'query',
    csrf: 'token',
    errors: 'legacy',
    fails: ['bad_request', 'not_found', 'validator_missing', 'validation_failed'],
  }),
}
