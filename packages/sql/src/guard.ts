import type { InspectedStatement, Inspection } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import { positionAt } from '@parquetry/model/position'
import { findForbiddenFunctions } from './functions.ts'

/** Statement kinds that read tables and return rows. */
const reading = new Set(['select', 'explain', 'describe', 'summarize', 'show'])

/**
 * Guard of an embedded source. The engine's own catalog stays writable and its files are stored side by side, so the SQL must be
 * a single read-only statement over names of our views, with functions that only compute.
 * @param sql   the inspected text
 * @param views names that may be read; case-insensitive, as in the engine
 * @returns the statement
 * @throws AppError `syntax_error`, `dml_not_allowed`, `table_missing` or `sql_not_allowed`
 */
export function guardEmbedded(inspection: Inspection, views: readonly string[], sql: string): InspectedStatement {
  const statement = requireSingleStatement(inspection)
  if (statement.kind === 'pivot')
    throw new AppError('sql_not_allowed', {
      message: message(
        'errors.sql.pivot',
        'PIVOT must be inside a SELECT and list its values, for example: SELECT * FROM (PIVOT t ON a IN (1, 2) USING sum(b)) AS q.',
      ),
    })
  if (!statement.readOnly || !reading.has(statement.kind)) throw new AppError('dml_not_allowed')
  guardTables(statement, new Set(views.map((name) => name.toLowerCase())), sql)
  guardFunctions(statement, 'duckdb')
  return statement
}

/**
 * Guard of a network source for SQL that contains user input: a single statement without functions that reach beyond its own
 * rows. The caller checks which tables it may read; the session itself is read-only unless changes are allowed.
 * @param allow_dml statements may write
 * @throws AppError `syntax_error`, `dml_not_allowed` or `sql_not_allowed`
 */
export function guardNetwork(inspection: Inspection, engine: string, allow_dml: boolean): void {
  const statement = requireSingleStatement(inspection)
  if (!statement.readOnly && !allow_dml) throw new AppError('dml_not_allowed')
  guardFunctions(statement, engine)
}

/**
 * Guard of statements over a table that their session creates, on a network source: the creating statement must not read that
 * table, and the others must read nothing else.
 * @throws AppError as `guardNetwork`
 */
export function guardTempTable(
  { creation, queries }: { creation: Inspection; queries: readonly Inspection[] },
  engine: string,
  table: string,
): void {
  for (const inspection of [creation, ...queries]) guardNetwork(inspection, engine, false)
  const isOwn = ({ catalog, schema, name }: InspectedStatement['tables'][number]) =>
    catalog === null && schema === null && name === table
  const reads = (inspection: Inspection) => inspection.statements.flatMap(({ tables }) => tables)
  if (reads(creation).some(({ name }) => name === table) || !queries.flatMap(reads).every(isOwn))
    throw new AppError('sql_not_allowed')
}

function requireSingleStatement({ error, statements }: Inspection): InspectedStatement {
  if (error) {
    const { message: text, ...position } = error
    throw new AppError('syntax_error', { message: text, details: { ...position } })
  }
  const [statement, second] = statements
  if (!statement)
    throw new AppError('syntax_error', {
      message: message('errors.sql.noStatement', 'Nothing to run: the text contains no statement.'),
    })
  if (second)
    throw new AppError('sql_not_allowed', {
      message: message('errors.sql.severalStatements', 'Only one statement is allowed here.'),
    })
  return statement
}

function guardFunctions(statement: InspectedStatement, engine: string): void {
  const [refused] = findForbiddenFunctions(statement, engine)
  if (refused)
    throw new AppError('sql_not_allowed', {
      message: message('errors.sql.function', 'The function "{name}" cannot be used here.', { name: refused }),
    })
}

function guardTables({ tables }: InspectedStatement, views: ReadonlySet<string>, sql: string): void {
  for (const { catalog, schema, name, span } of tables) {
    const details = () => (span ? { ...positionAt(sql, span[0]) } : {})
    if (catalog !== null || (schema !== null && schema.toLowerCase() !== 'main'))
      throw new AppError('sql_not_allowed', {
        message: message(
          'errors.sql.qualifiedTable',
          '"{table}" is not a table of this database. Name a table without a catalog, and with no schema other than main.',
          { table: [catalog, schema, name].filter((part) => part !== null).join('.') },
        ),
        details: details(),
      })
    if (!views.has(name.toLowerCase()))
      throw new AppError('table_missing', {
        message: `Catalog Error: Table with name ${name} does not exist!`,
        details: details(),
      })
  }
}
