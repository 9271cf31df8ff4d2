import type { DescribeRequest, DescribeResult, DescribedColumn, DescribedKey, Value } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import { parseGrants } from '../shared/grants.ts'
import { stripTrailingSemicolons } from '../shared/strip-semicolons.ts'
import { dialect } from './dialect.ts'
import { genericOf, parseType, formatClickhouseType } from './types.ts'

/** A statement and what of it the asker wrote. */
export interface ClickhouseStatement {
  sql: string
  values?: readonly Value[]
  /** What the asker wrote, for the place of an error; null for a text of ours. */
  userText: string | null
  /** Bytes of ours that stand before it in `sql`. */
  before?: number
}

export interface ClickhouseCatalog {
  database: string
  /** @throws AppError */
  all(statement: ClickhouseStatement): Promise<unknown[][]>
}

/** What is asked of the catalogue. @throws AppError `connection_*`, `table_missing`, those of the text */
export async function describe(what: DescribeRequest, catalogue: ClickhouseCatalog): Promise<DescribeResult> {
  const { database, all } = catalogue
  const ask = (sql: string, values: readonly string[] = []) => all({ sql, values, userText: null })
  switch (what.what) {
    case 'ping':
      return ping(database, ask)
    case 'powers':
      return { what: 'powers', powers: parseGrants(await names(ask('SHOW GRANTS'))) }
    case 'schemas':
      return { what: 'schemas', schemas: await names(ask('SELECT name FROM system.databases ORDER BY name')) }
    case 'tables': {
      const rows = await ask(
        `SELECT name, engine LIKE '%View' FROM system.tables WHERE database = {p1:String} AND NOT is_temporary ORDER BY name`,
        [what.schema ?? database],
      )
      return {
        what: 'tables',
        tables: rows.map(([name, isView]) => ({ name: String(name), type: isView ? 'view' : 'table' })),
      }
    }
    case 'table':
      return describeTable(what.schema ?? database, what.table, ask)
    case 'columns':
      return { what: 'columns', columns: await describeColumns(what.sql, catalogue) }
    case 'functions':
      return { what: 'functions', names: await names(ask('SELECT name FROM system.functions ORDER BY name')) }
    case 'estimate':
      return { what: 'estimate', cost: await estimateCost(what.sql, catalogue) }
    default:
      throw new AppError('unsupported')
  }
}

/** A server refuses each question in a database that it has not. */
async function ping(database: string, ask: Ask): Promise<DescribeResult> {
  try {
    const [[version] = []] = await ask('SELECT version()')
    return { what: 'ping', version: `ClickHouse ${String(version)}` }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'schema_missing') throw error
    throw new AppError('connection_database', {
      message: message('errors.engines.databaseNotThere', 'The database "{database}" does not exist on this server.', {
        database,
      }),
      cause: error,
    })
  }
}

type Ask = (sql: string, values?: readonly string[]) => Promise<unknown[][]>

const names = async (rows: Promise<unknown[][]>): Promise<string[]> => (await rows).map(([name]) => String(name))

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

async function describeTable(database: string, table: string, ask: Ask): Promise<DescribeResult> {
  const own = [database, table]
  const [found] = await ask(
    `SELECT comment, total_rows, engine LIKE '%View', as_select, partition_key FROM system.tables
     WHERE database = {p1:String} AND name = {p2:String}`,
    own,
  )
  if (!found) throw new AppError('table_missing', { message: `Table ${database}.${table} does not exist` })
  const [comment, totalRows, isView, select, partitionKey] = found
  const columns = await ask(
    `SELECT name, type, comment, is_in_primary_key, is_in_partition_key FROM system.columns
     WHERE database = {p1:String} AND table = {p2:String} ORDER BY position`,
    own,
  )
  const inKey = columns.filter(([, , , isInKey]) => isInKey === 1).map(([name]) => String(name))
  const cols = columns.filter(([, , , , isIn]) => isIn === 1).map(([name]) => String(name))
  return {
    what: 'table',
    columns: columns.map(([name, type, about]) => column(String(name), String(type), about)),
    keys: inKey.length > 0 ? [{ name: 'PRIMARY', column_names: inKey, type: 'pk' } satisfies DescribedKey] : [],
    comment: textOrNull(comment),
    ...(totalRows !== null && { rows: Number(totalRows) }),
    ...(cols.length > 0 && { partitions: await describePartitions(own, cols, String(partitionKey), ask) }),
    ...(isView === 1 && { view: String(select) }),
  }
}

function column(name: string, type: string, comment: unknown): DescribedColumn {
  const spelled = formatClickhouseType(type)
  return {
    name,
    type: spelled,
    generic: genericOf(spelled),
    comment: textOrNull(comment),
    nullable: parseType(type).isNullable,
  }
}

/** A partition is a value of an expression (`toYYYYMM(date)`); the last by that value is the latest. */
async function describePartitions(own: readonly string[], cols: string[], key: string, ask: Ask) {
  const [database = '', table = ''] = own
  const where = `database = ${dialect.literal(database)} AND table = ${dialect.literal(table)} AND active`
  const partitionQuery = `SELECT max(partition) AS partition\nFROM system.parts\nWHERE ${where}`
  const [[latest] = []] = await ask(partitionQuery)
  const known = textOrNull(latest)
  return { cols, latest: (known === null ? {} : { [key]: known }) as Record<string, string>, partitionQuery }
}

const described = 'DESCRIBE TABLE (\n'

/** Analysed and not run. */
async function describeColumns(sql: string, { all }: ClickhouseCatalog): Promise<DescribedColumn[]> {
  const rows = await all({
    sql: `${described}${stripTrailingSemicolons(sql, dialect.name)}\n)`,
    userText: sql,
    before: Buffer.byteLength(described),
  })
  return rows.map(([name, type]) => column(String(name), String(type), null))
}

const estimated = 'EXPLAIN ESTIMATE\n'

/** What the indexes leave to be read, of all tables of a MergeTree family; of others the server cannot tell. */
async function estimateCost(sql: string, { all }: ClickhouseCatalog): Promise<Record<string, string>> {
  const rows = await all({
    sql: estimated + stripTrailingSemicolons(sql, dialect.name),
    userText: sql,
    before: Buffer.byteLength(estimated),
  })
  const sum = (at: number) => String(rows.reduce((total, row) => total + BigInt(String(row[at])), 0n))
  return { Parts: sum(2), Rows: sum(3), Marks: sum(4) }
}
