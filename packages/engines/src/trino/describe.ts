import type { DescribeRequest, DescribeResult, DescribedColumn } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import { stripTrailingSemicolons } from '../shared/strip-semicolons.ts'
import { dialect } from './dialect.ts'
import { parseCost } from './cost.ts'
import { latestPartition, partitionKey, type PartitionColumn } from './partitions.ts'
import { createTrinoDecoder, type TrinoColumn } from './decoders.ts'
import type { TrinoStatement } from './statement.ts'
import { genericOf } from './types.ts'

export interface TrinoCatalog {
  catalog: string
  schema: string | null
  /** @throws AppError */
  all(statement: TrinoStatement): Promise<{ columns: readonly TrinoColumn[]; rows: readonly unknown[][] }>
}

const { quote, literal } = dialect

/** Queries the catalog. @throws AppError `connection_*`, `table_missing`, `schema_missing`, those of the statement */
export async function describe(request: DescribeRequest, trinoCatalog: TrinoCatalog): Promise<DescribeResult> {
  const { catalog } = trinoCatalog
  const query = async (sql: string) => (await trinoCatalog.all({ sql, userText: null })).rows
  const texts = async (sql: string) => (await query(sql)).map(([first]) => String(first))
  switch (request.what) {
    case 'ping': {
      const [version = ''] = await texts('SELECT version()')
      if (!(await texts('SHOW CATALOGS')).includes(catalog.toLowerCase()))
        throw new AppError('connection_database', {
          message: message('errors.engines.catalogNotThere', 'The catalog "{catalog}" does not exist on this server.', {
            catalog,
          }),
        })
      return { what: 'ping', version: `Trino ${version}` }
    }
    case 'catalogs':
      return { what: 'catalogs', catalogs: await texts('SHOW CATALOGS') }
    case 'schemas':
      return { what: 'schemas', schemas: await texts(`SHOW SCHEMAS FROM ${quote(catalog)}`) }
    case 'tables': {
      const rows = await query(
        `SELECT table_name, table_type FROM ${quote(catalog)}.information_schema.tables
         WHERE table_schema = ${schemaText(request.schema ?? trinoCatalog.schema)} ORDER BY table_name`,
      )
      return {
        what: 'tables',
        tables: rows.map(([name, type]) => ({ name: String(name), type: type === 'VIEW' ? 'view' : 'table' })),
      }
    }
    case 'table':
      return describeTable(request.table, { ...trinoCatalog, schema: request.schema ?? trinoCatalog.schema })
    case 'partition':
      return describePartition(request, { ...trinoCatalog, schema: request.schema ?? trinoCatalog.schema })
    case 'columns':
      return { what: 'columns', columns: await describeColumns(request.sql, trinoCatalog) }
    case 'functions':
      return { what: 'functions', names: [...new Set(await texts('SHOW FUNCTIONS'))] }
    case 'estimate': {
      const sql = `EXPLAIN (TYPE IO, FORMAT JSON)\n${stripTrailingSemicolons(request.sql, dialect.name)}`
      const { rows } = await trinoCatalog.all({ sql, userText: request.sql, firstLine: 2 })
      return { what: 'estimate', cost: parseCost(String(rows[0]?.[0] ?? '{}')) }
    }
    default:
      throw new AppError('unsupported')
  }
}

function schemaText(schema: string | null): string {
  if (schema === null)
    throw new AppError('schema_missing', { message: message('errors.engines.chooseSchema', 'Choose a schema first.') })
  return literal(schema.toLowerCase())
}

async function describeTable(table: string, { catalog, schema, all }: TrinoCatalog): Promise<DescribeResult> {
  const inSchema = schemaText(schema)
  const own = `table_schema = ${inSchema} AND table_name = ${literal(table.toLowerCase())}`
  const path = [catalog, schema ?? '', table].map(quote).join('.')
  const query = async (sql: string) => (await all({ sql, userText: null })).rows
  const found = await readTableColumns(table, { catalog, schema, all })
  const view = await query(`SELECT view_definition FROM ${quote(catalog)}.information_schema.views WHERE ${own}`)
  const comment = await query(
    `SELECT comment FROM system.metadata.table_comments
     WHERE catalog_name = ${literal(catalog.toLowerCase())} AND schema_name = ${inSchema} AND table_name = ${literal(table.toLowerCase())}`,
  )
  const rows = view.length > 0 ? undefined : await readRowCount(path, query)
  const partitions = await latestPartition([catalog, schema ?? '', table], partitionColumns(found), {}, query)
  return {
    what: 'table',
    columns: found.map(([name, type, isNullable, about]) =>
      column(String(name), String(type), isNullable === 'YES', about),
    ),
    keys: [],
    comment: textOrNull(comment[0]?.[0]),
    ...(rows !== undefined && { rows }),
    ...(partitions && { partitions }),
    ...(view.length > 0 && { view: String(view[0]?.[0]) }),
  }
}

/** Returns rows of the catalog: name, type, nullable, comment, extra information. @throws AppError `table_missing` */
async function readTableColumns(table: string, { catalog, schema, all }: TrinoCatalog): Promise<readonly unknown[][]> {
  const { rows } = await all({
    sql: `SELECT column_name, data_type, is_nullable, comment, extra_info
     FROM ${quote(catalog)}.information_schema.columns
     WHERE table_schema = ${schemaText(schema)} AND table_name = ${literal(table.toLowerCase())} ORDER BY ordinal_position`,
    userText: null,
  })
  if (rows.length === 0)
    throw new AppError('table_missing', { message: `Table '${[catalog, schema, table].join('.')}' does not exist` })
  return rows
}

const partitionColumns = (found: readonly unknown[][]): PartitionColumn[] =>
  found.flatMap(([name, type, , , extra]) =>
    extra === partitionKey ? [{ name: String(name), type: String(type) }] : [],
  )

async function describePartition(
  { table, values }: { table: string; values: Record<string, string> },
  trinoCatalog: TrinoCatalog,
): Promise<DescribeResult> {
  const { catalog, schema, all } = trinoCatalog
  const cutBy = partitionColumns(await readTableColumns(table, trinoCatalog))
  const query = async (sql: string) => (await all({ sql, userText: null })).rows
  const found = await latestPartition([catalog, schema ?? '', table], cutBy, values, query)
  return { what: 'partition', cols: found?.cols ?? [], latest: found?.latest ?? {} }
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

function column(name: string, type: string, nullable: boolean, comment: unknown): DescribedColumn {
  const spelled = type.toUpperCase()
  return { name, type: spelled, generic: genericOf(spelled), comment: textOrNull(comment), nullable }
}

type Ask = (sql: string) => Promise<readonly unknown[][]>

/** Row count from the statistics, which requires no reading; connectors without statistics return nothing or fail. */
async function readRowCount(path: string, query: Ask): Promise<number | undefined> {
  try {
    const summary = (await query(`SHOW STATS FOR ${path}`)).find(([name]) => name === null)
    return typeof summary?.[4] === 'number' ? Math.round(summary[4]) : undefined
  } catch (error) {
    if (error instanceof AppError && error.code === 'query_failed') return undefined
    throw error
  }
}

/** Analyzes and plans the whole statement with a limit of zero, so that the server reads nothing. */
async function describeColumns(sql: string, { all }: TrinoCatalog): Promise<DescribedColumn[]> {
  const wrapped = `SELECT * FROM (\n${stripTrailingSemicolons(sql, dialect.name)}\n) LIMIT 0`
  const { columns } = await all({ sql: wrapped, userText: sql, firstLine: 2 })
  return columns.map((one) => column(one.name, createTrinoDecoder(one).type, true, null))
}
