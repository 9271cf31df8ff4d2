import { AppError, type InspectedStatement, type Inspection } from '@parquetry/model'
import { isReadOnly, refusedFunctions, type TableName, tablesRead } from '@parquetry/sql'
import { type DatabaseRow, engineFor, homeSchema } from '../database/source.ts'
import type { AccessContext } from '../security/access.ts'
import { type Place, readsAll, unreadableTables } from '../security/table-access.ts'

type Asking = Pick<AccessContext, 'db' | 'principal'>

/**
 * Whether this user's text may run on this database: it parses, it only reads unless the database takes changes, and, for
 * whoever may not read all of the database, every table in it was granted and nothing in it can read another.
 * @param place what unqualified names mean when the text runs: `placeOf`
 * @throws AppError `syntax_error`, `dml_not_allowed`, `query_access`, `sql_not_allowed`
 */
export async function judge(
  inspection: Inspection,
  database: DatabaseRow,
  access: Asking,
  place: Place,
): Promise<void> {
  const { error, statements } = inspection
  if (error) {
    const { message, ...position } = error
    throw new AppError('syntax_error', { message, details: position })
  }
  if (statements.length === 0) throw new AppError('invalid_query', { message: 'There is no statement to run.' })
  if (database.allow_dml === 0 && !isReadOnly(inspection)) throw new AppError('dml_not_allowed')
  const [refused] = statements.flatMap((statement) => refusedFunctions(statement, database.backend))
  if (refused) throw closedFunction(refused)
  if (readsAll(access.principal, database)) return
  if (!isReadOnly(inspection)) throw new AppError('query_access')
  await judgeTables(tablesRead(inspection), database, access, place)
  for (const statement of statements) judgeStatement(statement, database)
}

/**
 * Names without a schema must mean what was judged: for whoever may read some tables only that is never left to the settings of
 * the engine's user.
 */
export const placeOf = (
  { principal }: Pick<Asking, 'principal'>,
  database: DatabaseRow,
  { schema, catalog }: Place,
): Place => ({
  schema: schema ?? (readsAll(principal, database) ? null : homeSchema(database)),
  catalog,
})

/** @throws AppError `query_access` that names the tables that were not granted; tables of the catalogue never are */
export async function judgeTables(
  tables: readonly TableName[],
  database: DatabaseRow,
  { db, principal }: Asking,
  place: Place,
): Promise<void> {
  const missing = await unreadableTables(db, principal, database, tables, place)
  if (missing.length === 0) return
  const names = missing.map(({ schema, name }) => (schema ? `${schema}.${name}` : name))
  throw new AppError('query_access', {
    message: `You need access to the following tables: ${names.map((name) => `\`${name}\``).join(', ')}, \`all_database_access\` or \`all_datasource_access\` permission`,
    details: { tables: names, link: '' },
  })
}

/** What tells of tables without naming them: lists, and functions and types that the engine does not bring along. */
function judgeStatement({ kind, tables, functions, tableFunctions, types }: InspectedStatement, database: DatabaseRow) {
  const isList = tables.length === 0 && (kind === 'show' || kind === 'describe' || kind === 'summarize')
  if (isList || (database.backend === 'duckdb' && tableFunctions.some((name) => name.startsWith('show_'))))
    throw new AppError('query_access', {
      message: 'You may read some tables of this database only, so you cannot list what is in it.',
    })
  refuseForeign({ functions, tableFunctions, types }, database)
}

/**
 * Functions and types that the engine does not bring along may read what nobody granted.
 * @throws AppError `sql_not_allowed`
 */
export function refuseForeign(
  { functions, tableFunctions, types }: Pick<InspectedStatement, 'functions' | 'tableFunctions' | 'types'>,
  database: DatabaseRow,
): void {
  const { knownNames } = engineFor(database)
  const foreign =
    knownNames &&
    [...functions, ...tableFunctions, ...(types ?? [])].find((name) => !knownNames.has(name.toLowerCase()))
  if (foreign !== undefined) throw closedFunction(foreign)
}

const closedFunction = (name: string): AppError =>
  new AppError('sql_not_allowed', { message: `The function "${name}" cannot be used here.` })
