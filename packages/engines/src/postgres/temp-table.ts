import type { Limits } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import pg, { type QueryResult } from 'pg'
import type { TempTable } from '../shared/driver.ts'

const quoted = pg.escapeIdentifier

/** Types as `pg_typeof` names them; text types whose collation treats different texts as equal have another name. */
const columnTypesSql = (table: string) => `SELECT attname AS name,
    regexp_replace(format_type(atttypid, atttypmod), '\\([^)]*\\)', '') ||
      CASE WHEN to_jsonb(c) ->> 'collisdeterministic' = 'false' THEN ' COLLATE ' || quote_ident(collname) ELSE '' END AS type
  FROM pg_attribute LEFT JOIN pg_collation c ON c.oid = attcollation
  WHERE attrelid = ${pg.escapeLiteral(`pg_temp.${quoted(table)}`)}::regclass AND attnum > 0`

/**
 * Begins a transaction with a table that is dropped at its end. Only the table's columns are created while it can write, which
 * evaluates nothing of the statement; the rows are inserted after the transaction is read-only again, which cannot be undone.
 * @returns the number of rows
 * @throws AppError as `Session.createTempTable`, and errors of the server; the session is unusable afterwards
 */
export async function createPostgresTempTable(
  client: pg.Client,
  { name, statement, types }: TempTable,
  { rows }: Pick<Limits, 'rows'>,
): Promise<number> {
  const table = quoted(name)
  const { text, values } = statement
  // The extended protocol allows one statement per call, whatever the text contains.
  const alone = (sql: string) => client.query({ text: sql, values, queryMode: 'extended' } as pg.QueryConfig)
  await begin(client)
  await alone(`CREATE TEMP TABLE ${table} ON COMMIT DROP AS ${text}\nWITH NO DATA`).catch(rethrowAsUnsupported)
  checkTypes(await queryLast(client, `SET TRANSACTION READ ONLY; ${columnTypesSql(name)}`), types)
  const { rowCount } = await alone(`INSERT INTO ${table} ${text}\nLIMIT ${rows + 1}`)
  await client.query(`SAVEPOINT ${table}`)
  return rowCount ?? 0
}

/** Restores the state before a statement that failed. */
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

/** A read-only server cannot begin this transaction. */
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

/** `feature_not_supported` and `read_only_sql_transaction`: from servers and from proxies in front of them. */
function rethrowAsUnsupported(error: unknown): never {
  throw isServerError(error) && ['0A000', '25006'].includes(error.code ?? '') ? tempTablesUnsupported(error) : error
}

/** Returns the rows of the last of several statements. */
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
