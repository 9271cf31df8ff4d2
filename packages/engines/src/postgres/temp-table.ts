import type { Limits } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import pg, { type QueryResult } from 'pg'
import type { TempTable } from '../shared/driver.ts'

const quoted = pg.escapeIdentifier

/** Types as `pg_typeof` names them; those of texts whose collation takes different ones as equal have another name. */
const columnTypesSql = (table: string) => `SELECT attname AS name,
    regexp_replace(format_type(atttypid, atttypmod), '\\([^)]*\\)', '') ||
      CASE WHEN to_jsonb(c) ->> 'collisdeterministic' = 'false' THEN ' COLLATE ' || quote_ident(collname) ELSE '' END AS type
  FROM pg_attribute LEFT JOIN pg_collation c ON c.oid = attcollation
  WHERE attrelid = ${pg.escapeLiteral(`pg_temp.${quoted(table)}`)}::regclass AND attnum > 0`

/**
 * A transaction with a table that ends with it. Only the table's columns are made while it may write, which carries out nothing of the
 * statement: the rows come when the transaction is read-only again, which cannot be taken back.
 * @returns how many rows it has
 * @throws AppError as `Session.makeTable`, and what the server says; the session is of no use then
 */
export async function createPostgresTempTable(
  client: pg.Client,
  { name, statement, types }: TempTable,
  { rows }: Pick<Limits, 'rows'>,
): Promise<number> {
  const table = quoted(name)
  const { text, values } = statement
  // One statement each, whatever stands in the text.
  const alone = (sql: string) => client.query({ text: sql, values, queryMode: 'extended' } as pg.QueryConfig)
  await begin(client)
  await alone(`CREATE TEMP TABLE ${table} ON COMMIT DROP AS ${text}\nWITH NO DATA`).catch(rethrowAsUnsupported)
  checkTypes(await queryLast(client, `SET TRANSACTION READ ONLY; ${columnTypesSql(name)}`), types)
  const { rowCount } = await alone(`INSERT INTO ${table} ${text}\nLIMIT ${rows + 1}`)
  await client.query(`SAVEPOINT ${table}`)
  return rowCount ?? 0
}

/** As it was before a statement that failed. */
export const rollbackToTempTable = (client: pg.Client, { name }: Pick<TempTable, 'name'>): Promise<unknown> =>
  client.query(`ROLLBACK TO SAVEPOINT ${quoted(name)}`)

const tempTablesUnsupported = (cause?: unknown) =>
  new AppError('unsupported', {
    message: message(
      'errors.engines.noTemporaryTables',
      'This account cannot create temporary tables in this database.',
    ),
    cause,
  })

/** A server that only reads begins no such transaction. */
async function begin(client: pg.Client): Promise<void> {
  const may = `SELECT has_database_privilege(current_database(), 'TEMPORARY') AS may`
  const [found] = await queryLast<{ may: boolean }>(client, `COMMIT; BEGIN READ WRITE; ${may}`).catch(
    (error: unknown) => {
      throw isServerError(error) ? tempTablesUnsupported(error) : error
    },
  )
  if (!found?.may) throw tempTablesUnsupported()
}

const isServerError = (error: unknown): error is pg.DatabaseError => error instanceof pg.DatabaseError

/** `feature_not_supported` and `read_only_sql_transaction`: of servers, and of what stands before them. */
function rethrowAsUnsupported(error: unknown): never {
  throw isServerError(error) && ['0A000', '25006'].includes(error.code ?? '') ? tempTablesUnsupported(error) : error
}

/** Rows of the last of several statements. */
async function queryLast<T extends object>(client: pg.Client, text: string): Promise<T[]> {
  const results = (await client.query(text)) as unknown as QueryResult<T>[]
  return results.at(-1)?.rows ?? []
}

function checkTypes(columns: readonly { name: string; type: string }[], types: TempTable['types']): void {
  const found = new Map(columns.map(({ name, type }) => [name, type]))
  for (const [name, type] of Object.entries(types))
    if (found.get(name) !== type)
      throw new AppError('conflict', {
        message: message('errors.engines.columnType', 'The column {name} has the type {found} instead of {expected}.', {
          name,
          found: String(found.get(name)),
          expected: type,
        }),
      })
}
