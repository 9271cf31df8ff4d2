import { AppError, type InspectedStatement, type Inspection, message, type Message } from '@parquetry/model'
import {
  findAdminOnlyPart,
  isProtectedTable,
  isReadOnly,
  findForbiddenFunctions,
  type TableName,
  listTables,
} from '@parquetry/sql'
import { isReadOnlyConnection } from '../connection/extra.ts'
import { type DatabaseRow, engineFor, defaultCatalogOf, defaultSchemaOf } from '../connection/source.ts'
import type { AccessContext } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import { type Namespace, canReadAll, unreadableTables } from './table-access.ts'

type Requester = Pick<AccessContext, 'db' | 'principal'>

/**
 * Checks that the user may run this SQL on this database: it parses, only reads unless the database allows changes, and uses
 * nothing that is reserved for administrators. Users who may not read the whole database also need a grant on every table in it,
 * and nothing in it may read another table.
 * @param sql   the text that was inspected
 * @param namespace meaning of unqualified names when the SQL runs: `resolveNamespace`
 * @throws AppError `syntax_error`, `dml_not_allowed`, `query_access`, `sql_not_allowed`
 */
export async function authorizeSql(
  sql: string,
  inspection: Inspection,
  database: DatabaseRow,
  access: Requester,
  namespace: Namespace,
): Promise<void> {
  const { error, statements } = inspection
  if (error) {
    const { message: text, ...position } = error
    throw new AppError('syntax_error', { message: text, details: position })
  }
  if (statements.length === 0)
    throw new AppError('invalid_query', {
      message: message('errors.sql.noStatement', 'Nothing to run: the text contains no statement.'),
    })
  const allowsChanges = database.allow_dml !== 0 && !isReadOnlyConnection(database)
  if (!allowsChanges && !isReadOnly(inspection)) throw changeError(database, statements)
  const [forbidden] = statements.flatMap((statement) => findForbiddenFunctions(statement, database.backend))
  if (forbidden) throw forbiddenFunctionError(forbidden)
  for (const statement of statements) refuseForAdministrators(sql, statement, database, access.principal, namespace)
  if (canReadAll(access.principal, database)) return
  if (!isReadOnly(inspection)) throw new AppError('query_access')
  await authorizeTables(listTables(inspection), database, access, namespace)
  for (const statement of statements) authorizeStatement(statement, database)
}

/** Where tables can be created from queries, a refused CREATE names the way to do so. */
const changeError = (database: DatabaseRow, statements: readonly InspectedStatement[]): AppError =>
  new AppError(
    'dml_not_allowed',
    database.allow_ctas === 1 && !isReadOnlyConnection(database) && statements.some(({ kind }) => kind === 'create')
      ? {
          message: message(
            'errors.sqlAccess.useCreateAs',
            'Only `SELECT` statements are allowed against this database. To save the rows of a query as a table, write only the SELECT and choose CREATE TABLE AS in the menu of Run.',
          ),
        }
      : {},
  )

/** @throws AppError `query_access` for what `findAdminOnlyPart` finds, unless the user is an administrator */
export function refuseForAdministrators(
  sql: string,
  statement: InspectedStatement,
  database: DatabaseRow,
  { isAdmin }: Principal,
  namespace: Namespace,
): void {
  if (isAdmin) return
  const found = findAdminOnlyPart(sql, statement, database.backend, withHomeNamespace(database, namespace))
  if (found !== undefined) throw adminOnlyError(found)
}

/** @throws AppError `query_access` for a table of the engine that `isProtectedTable`, unless the user is an administrator */
export function refuseSecrets(
  tables: readonly TableName[],
  database: DatabaseRow,
  { isAdmin }: Principal,
  namespace: Namespace,
): void {
  const secret = isAdmin
    ? undefined
    : tables.find((table) => isProtectedTable(table, database.backend, withHomeNamespace(database, namespace)))
  if (secret) throw adminOnlyError(message('errors.sqlAccess.table', 'The table "{name}"', { name: secret.name }))
}

const adminOnlyError = (subject: string | Message): AppError =>
  new AppError('query_access', {
    message: message(
      'errors.sqlAccess.adminOnly',
      '{subject} is for administrators only, because it can expose settings, accounts, files, or queries of other users.',
      { subject },
    ),
  })

/** Meaning of unqualified names, with the defaults of the database. */
const withHomeNamespace = (database: DatabaseRow, { schema, catalog }: Namespace): Namespace => ({
  schema: schema ?? defaultSchemaOf(database),
  catalog: catalog ?? defaultCatalogOf(database),
})

/**
 * Names without a schema must mean what was checked: for users who may read only some tables this never depends on the settings
 * of the engine's user.
 */
export const resolveNamespace = (
  { principal }: Pick<Requester, 'principal'>,
  database: DatabaseRow,
  { schema, catalog }: Namespace,
): Namespace => ({
  schema: schema ?? (canReadAll(principal, database) ? null : defaultSchemaOf(database)),
  catalog,
})

/** @throws AppError `query_access` with the tables that are not granted; catalog tables never are */
export async function authorizeTables(
  tables: readonly TableName[],
  database: DatabaseRow,
  { db, principal }: Requester,
  namespace: Namespace,
): Promise<void> {
  const missing = await unreadableTables(db, principal, database, tables, namespace)
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

/** Rejects what reveals tables without naming them: lists, and functions and types that are not part of the engine. */
function authorizeStatement(
  { kind, tables, functions, tableFunctions, types }: InspectedStatement,
  database: DatabaseRow,
) {
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

/** A function or type that is not part of the engine: it may read tables that are not granted. */
export function foreignName(
  { functions, tableFunctions, types }: Pick<InspectedStatement, 'functions' | 'tableFunctions' | 'types'>,
  database: DatabaseRow,
): string | undefined {
  const { safeNames } = engineFor(database)
  return (
    safeNames && [...functions, ...tableFunctions, ...(types ?? [])].find((name) => !safeNames.has(name.toLowerCase()))
  )
}

/** @throws AppError `sql_not_allowed` for a statement with a `foreignName` */
export function refuseForeign(
  statement: Pick<InspectedStatement, 'functions' | 'tableFunctions' | 'types'>,
  database: DatabaseRow,
): void {
  const foreign = foreignName(statement, database)
  if (foreign !== undefined) throw forbiddenFunctionError(foreign)
}

const forbiddenFunctionError = (name: string): AppError =>
  new AppError('sql_not_allowed', {
    message: message('errors.sql.function', 'The function "{name}" cannot be used here.', { name }),
  })
