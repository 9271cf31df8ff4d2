import { AppError, type InspectedStatement, type Inspection, message } from '@parquetry/model'
import {
  forAdministrators,
  holdsSecrets,
  isReadOnly,
  refusedFunctions,
  type TableName,
  tablesRead,
} from '@parquetry/sql'
import { type DatabaseRow, engineFor, homeCatalog, homeSchema } from '../connection/source.ts'
import type { AccessContext } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import { type Place, readsAll, unreadableTables } from './table-access.ts'

type Asking = Pick<AccessContext, 'db' | 'principal'>

/**
 * Whether this user's text may run on this database: it parses, it only reads unless the database takes changes, it asks nothing
 * that is for administrators unless he is one, and, for whoever may not read all of the database, every table in it was granted
 * and nothing in it can read another.
 * @param sql   the text that was inspected
 * @param place what unqualified names mean when the text runs: `placeOf`
 * @throws AppError `syntax_error`, `dml_not_allowed`, `query_access`, `sql_not_allowed`
 */
export async function judge(
  sql: string,
  inspection: Inspection,
  database: DatabaseRow,
  access: Asking,
  place: Place,
): Promise<void> {
  const { error, statements } = inspection
  if (error) {
    const { message: said, ...position } = error
    throw new AppError('syntax_error', { message: said, details: position })
  }
  if (statements.length === 0)
    throw new AppError('invalid_query', { message: message('errors.sql.noStatement', 'There is no statement to run.') })
  if (database.allow_dml === 0 && !isReadOnly(inspection)) throw new AppError('dml_not_allowed')
  const [refused] = statements.flatMap((statement) => refusedFunctions(statement, database.backend))
  if (refused) throw closedFunction(refused)
  for (const statement of statements) refuseForAdministrators(sql, statement, database, access.principal, place)
  if (readsAll(access.principal, database)) return
  if (!isReadOnly(inspection)) throw new AppError('query_access')
  await judgeTables(tablesRead(inspection), database, access, place)
  for (const statement of statements) judgeStatement(statement, database)
}

/** @throws AppError `query_access` for what `forAdministrators` finds, unless it is one who asks */
export function refuseForAdministrators(
  sql: string,
  statement: InspectedStatement,
  database: DatabaseRow,
  { isAdmin }: Principal,
  place: Place,
): void {
  if (isAdmin) return
  const found = forAdministrators(sql, statement, database.backend, fullPlace(database, place))
  if (found !== undefined) throw onlyAdministrators(found)
}

/** @throws AppError `query_access` for a table of the engine that `holdsSecrets`, unless it is an administrator who asks */
export function refuseSecrets(
  tables: readonly TableName[],
  database: DatabaseRow,
  { isAdmin }: Principal,
  place: Place,
): void {
  const secret = isAdmin
    ? undefined
    : tables.find((table) => holdsSecrets(table, database.backend, fullPlace(database, place)))
  if (secret) throw onlyAdministrators(`The table "${secret.name}"`)
}

const onlyAdministrators = (what: string): AppError =>
  new AppError('query_access', {
    message: `${what} is for administrators only, because it can expose settings, accounts, files, or queries of other users.`,
  })

/** What names mean where nothing else says so. */
const fullPlace = (database: DatabaseRow, { schema, catalog }: Place): Place => ({
  schema: schema ?? homeSchema(database),
  catalog: catalog ?? homeCatalog(database),
})

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
    message: message(
      'errors.sqlAccess.tables',
      'You need access to the following tables: {tables}, `all_database_access` or `all_datasource_access` permission',
      { tables: names.map((name) => `\`${name}\``).join(', ') },
    ),
    details: { tables: names, link: '' },
  })
}

/** What tells of tables without naming them: lists, and functions and types that the engine does not bring along. */
function judgeStatement({ kind, tables, functions, tableFunctions, types }: InspectedStatement, database: DatabaseRow) {
  const isList = tables.length === 0 && (kind === 'show' || kind === 'describe' || kind === 'summarize')
  if (isList || (database.backend === 'duckdb' && tableFunctions.some((name) => name.startsWith('show_'))))
    throw new AppError('query_access', {
      message: message(
        'errors.sqlAccess.list',
        'You have access to only some tables of this database, so you cannot list its contents.',
      ),
    })
  refuseForeign({ functions, tableFunctions, types }, database)
}

/** A function or type that the engine does not bring along: it may read what nobody granted. */
export function foreignName(
  { functions, tableFunctions, types }: Pick<InspectedStatement, 'functions' | 'tableFunctions' | 'types'>,
  database: DatabaseRow,
): string | undefined {
  const { knownNames } = engineFor(database)
  return (
    knownNames &&
    [...functions, ...tableFunctions, ...(types ?? [])].find((name) => !knownNames.has(name.toLowerCase()))
  )
}

/** @throws AppError `sql_not_allowed` for a statement with a `foreignName` */
export function refuseForeign(
  statement: Pick<InspectedStatement, 'functions' | 'tableFunctions' | 'types'>,
  database: DatabaseRow,
): void {
  const foreign = foreignName(statement, database)
  if (foreign !== undefined) throw closedFunction(foreign)
}

const closedFunction = (name: string): AppError =>
  new AppError('sql_not_allowed', {
    message: message('errors.sql.function', 'The function "{name}" cannot be used here.', { name }),
  })
