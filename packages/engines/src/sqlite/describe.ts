import type { DescribeRequest, DescribeResult, DescribedColumn, DescribedKey } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { isMainSchema } from '../shared/main-schema.ts'
import { genericOf, genericOfDeclared } from './types.ts'
import type { SqliteReader } from './reader.ts'

const ours = `name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`

/** Describes a file. @throws AppError `table_missing`, `unsupported` */
export function describe(reader: SqliteReader, request: DescribeRequest): DescribeResult {
  if (request.what === 'ping')
    return { what: 'ping', version: `SQLite ${String(reader.ask('SELECT sqlite_version() AS v')[0]?.['v'])}` }
  if (request.what === 'schemas') return { what: 'schemas', schemas: ['main'] }
  if (request.what === 'tables') {
    if (!isMainSchema(request.schema)) return { what: 'tables', tables: [] }
    const rows = reader.ask(
      `SELECT name, type FROM main.sqlite_master WHERE type IN ('table', 'view') AND ${ours} ORDER BY name`,
    )
    return { what: 'tables', tables: rows as { name: string; type: 'table' | 'view' }[] }
  }
  if (request.what === 'table') {
    if (!isMainSchema(request.schema))
      throw new AppError('table_missing', { message: `no such table: ${request.schema}.${request.table}` })
    return describeTable(reader, request.table)
  }
  if (request.what === 'columns') return { what: 'columns', columns: describeColumns(reader, request.sql) }
  if (request.what === 'functions') {
    const names = reader
      .ask(`SELECT DISTINCT name FROM pragma_function_list ORDER BY name`)
      .map(({ name }) => String(name))
    return { what: 'functions', names: names.filter((name) => /^[a-z]\w*$/.test(name)).toSorted() }
  }
  throw new AppError('unsupported')
}

function describeTable(reader: SqliteReader, table: string): DescribeResult {
  const [found] = reader.ask(
    `SELECT name, type, sql FROM main.sqlite_master WHERE type IN ('table', 'view') AND name = ?`,
    table,
  )
  if (!found) throw new AppError('table_missing', { message: `no such table: ${table}` })
  const columns = reader.ask('SELECT name, type, "notnull", pk FROM pragma_table_info(?) ORDER BY cid', table)
  const key = columns.filter(({ pk }) => Number(pk) > 0).toSorted((a, b) => Number(a['pk']) - Number(b['pk']))
  return {
    what: 'table',
    columns: columns.map(({ name, type, notnull, pk }) => ({
      ...column(String(name), type === '' ? null : String(type)),
      nullable: Number(notnull) === 0 && Number(pk) === 0,
    })),
    keys: [
      ...(key.length > 0
        ? [{ name: null, column_names: key.map(({ name }) => String(name)), type: 'pk' } satisfies DescribedKey]
        : []),
      ...references(reader, table),
      ...indexes(reader, table),
    ],
    comment: null,
    ...(found['type'] === 'view' && { view: String(found['sql']) }),
  }
}

const column = (name: string, declared: string | null): DescribedColumn => ({
  name,
  type: declared?.toUpperCase() ?? 'NULL',
  generic: genericOfDeclared(declared),
  comment: null,
  nullable: true,
})

function references(reader: SqliteReader, table: string): DescribedKey[] {
  const rows = reader.ask(
    'SELECT id, "table" AS referred, "from" AS own, "to" AS other FROM pragma_foreign_key_list(?) ORDER BY id, seq',
    table,
  )
  return [...Map.groupBy(rows, ({ id }) => id).values()].map((parts) => ({
    name: null,
    column_names: parts.map(({ own }) => String(own)),
    type: 'fk',
    referred_schema: null,
    referred_table: String(parts[0]?.['referred']),
    referred_columns: parts.flatMap(({ other }) => (other === null ? [] : [String(other)])),
  }))
}

/** Indexes except that of the primary key; an expression in an index has no name. */
function indexes(reader: SqliteReader, table: string): DescribedKey[] {
  const found = reader.ask(
    `SELECT name, "unique" AS is_unique FROM pragma_index_list(?) WHERE origin <> 'pk' ORDER BY name`,
    table,
  )
  return found.map(({ name, is_unique }) => ({
    name: String(name),
    column_names: reader
      .ask('SELECT name FROM pragma_index_info(?) WHERE name IS NOT NULL ORDER BY seqno', name)
      .map((part) => String(part['name'])),
    type: Number(is_unique) === 1 ? 'unique' : 'index',
  }))
}

/** An expression has no type before it runs, so the first row is read. */
function describeColumns(reader: SqliteReader, sql: string): DescribedColumn[] {
  reader.begin(sql, [], { cellBytes: 1 << 20 })
  const { columns } = reader.next(1)
  reader.drop()
  return columns.map(({ name, type, kind }) => ({ ...column(name, type), generic: genericOf(kind) }))
}
