import type { DescribeResult, DescribedColumn, DescribedKey } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import type { Connection } from 'mysql2'
import { queryMysql } from './client.ts'
import { formatMysqlColumnType, genericOf } from './types.ts'

const text = (value: unknown): string => (Buffer.isBuffer(value) ? value.toString() : String(value))
const orNull = (value: unknown): string | null => (value === null || value === undefined ? null : text(value))

export async function listMysqlSchemas(client: Connection): Promise<string[]> {
  const rows = await queryMysql(
    client,
    `SELECT SCHEMA_NAME FROM information_schema.SCHEMATA
     WHERE SCHEMA_NAME NOT IN ('mysql', 'performance_schema', 'sys') ORDER BY SCHEMA_NAME`,
  )
  return rows.map(([name]) => text(name))
}

/** Row count as estimated by InnoDB; views have none. */
const rowEstimate = (rows: unknown) => (rows === null || rows === undefined ? {} : { rows: Number(rows) })

export async function listMysqlTables(
  client: Connection,
  schema: string | null,
): Promise<{ name: string; type: 'table' | 'view'; rows?: number }[]> {
  const rows = await queryMysql(
    client,
    `SELECT TABLE_NAME, TABLE_TYPE, TABLE_ROWS FROM information_schema.TABLES
     WHERE TABLE_SCHEMA = COALESCE(?, DATABASE()) AND TABLE_TYPE <> 'SEQUENCE' ORDER BY TABLE_NAME`,
    [schema],
  )
  return rows.map(([name, type, count]) => {
    const isView = text(type).endsWith('VIEW')
    return { name: text(name), type: isView ? 'view' : 'table', ...(!isView && rowEstimate(count)) }
  })
}

/** @throws AppError `table_missing` */
export async function describeMysqlTable(
  client: Connection,
  schema: string | null,
  table: string,
): Promise<DescribeResult> {
  const tablePath = [schema, table]
  const [found] = await queryMysql(
    client,
    `SELECT t.TABLE_COMMENT, t.TABLE_ROWS, v.VIEW_DEFINITION
     FROM information_schema.TABLES t LEFT JOIN information_schema.VIEWS v USING (TABLE_SCHEMA, TABLE_NAME)
     WHERE t.TABLE_SCHEMA = COALESCE(?, DATABASE()) AND t.TABLE_NAME = ?`,
    tablePath,
  )
  if (!found)
    throw new AppError('table_missing', { message: `Table '${schema ? `${schema}.` : ''}${table}' doesn't exist` })
  const [comment, rows, view] = found
  const isView = view !== null
  return {
    what: 'table',
    columns: await columns(client, tablePath),
    keys: [...(await constraints(client, tablePath)), ...(await indexes(client, tablePath))],
    comment: (!isView && orNull(comment)) || null,
    ...(isView ? { view: text(view) } : rowEstimate(rows)),
  }
}

async function columns(client: Connection, tablePath: unknown[]): Promise<DescribedColumn[]> {
  const rows = await queryMysql(
    client,
    `SELECT COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, COLUMN_COMMENT FROM information_schema.COLUMNS
     WHERE TABLE_SCHEMA = COALESCE(?, DATABASE()) AND TABLE_NAME = ? ORDER BY ORDINAL_POSITION`,
    tablePath,
  )
  return rows.map(([name, type, nullable, comment]) => {
    const spelled = formatMysqlColumnType(text(type))
    return {
      name: text(name),
      type: spelled,
      generic: genericOf(spelled),
      comment: orNull(comment) || null,
      nullable: text(nullable) === 'YES',
    }
  })
}

const kinds: Record<string, 'pk' | 'unique' | 'fk'> = { 'PRIMARY KEY': 'pk', UNIQUE: 'unique', 'FOREIGN KEY': 'fk' }

async function constraints(client: Connection, tablePath: unknown[]): Promise<DescribedKey[]> {
  const rows = await queryMysql(
    client,
    `SELECT c.CONSTRAINT_NAME, c.CONSTRAINT_TYPE, k.COLUMN_NAME, k.REFERENCED_TABLE_SCHEMA, k.REFERENCED_TABLE_NAME,
            k.REFERENCED_COLUMN_NAME
     FROM information_schema.TABLE_CONSTRAINTS c JOIN information_schema.KEY_COLUMN_USAGE k
       USING (CONSTRAINT_SCHEMA, CONSTRAINT_NAME, TABLE_SCHEMA, TABLE_NAME)
     WHERE c.TABLE_SCHEMA = COALESCE(?, DATABASE()) AND c.TABLE_NAME = ?
       AND c.CONSTRAINT_TYPE IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY')
     ORDER BY c.CONSTRAINT_TYPE, c.CONSTRAINT_NAME, k.ORDINAL_POSITION`,
    tablePath,
  )
  return grouped(rows).map(([name, parts]) => {
    const [[, kind, , referred_schema, referred_table] = []] = parts
    const type = kinds[text(kind)] ?? 'unique'
    return {
      name,
      column_names: parts.map((part) => text(part[2])),
      type,
      ...(type === 'fk' && {
        referred_schema: orNull(referred_schema),
        referred_table: text(referred_table),
        referred_columns: parts.map((part) => text(part[5])),
      }),
    }
  })
}

/** Non-unique indexes. */
async function indexes(client: Connection, tablePath: unknown[]): Promise<DescribedKey[]> {
  const rows = await queryMysql(
    client,
    `SELECT INDEX_NAME, COLUMN_NAME FROM information_schema.STATISTICS
     WHERE TABLE_SCHEMA = COALESCE(?, DATABASE()) AND TABLE_NAME = ? AND NON_UNIQUE = 1 AND COLUMN_NAME IS NOT NULL
     ORDER BY INDEX_NAME, SEQ_IN_INDEX`,
    tablePath,
  )
  return grouped(rows).map(([name, parts]) => ({
    name,
    column_names: parts.map((part) => text(part[1])),
    type: 'index',
  }))
}

/** Groups rows by the name in their first column. */
const grouped = (rows: unknown[][]): [name: string, rows: unknown[][]][] => [
  ...Map.groupBy(rows, ([name]) => text(name)),
]
