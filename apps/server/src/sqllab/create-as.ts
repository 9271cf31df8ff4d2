import { AppError, type ExecuteRequest, type Inspection, message } from '@parquetry/model'
import type { Dialect } from '@parquetry/query'
import { isReadOnlyConnection } from '../connection/extra.ts'
import { checkNewTableName } from '../connection/new-table-name.ts'
import { type DatabaseRow, defaultCatalogOf, engineFor } from '../connection/source.ts'

/** The table or view that a run creates from its last statement. */
export interface Target {
  method: 'TABLE' | 'VIEW'
  table: string
  /** Schema prescribed by the database, else that of the run; null means the default of the session. */
  schema: string | null
}

/** Default table name, such as `tmp_7_table_2026_11_21_17_38_42`, in UTC. */
const createDefaultName = (userId: number, now: Date): string =>
  `tmp_${userId}_table_${now.toISOString().slice(0, 19).replaceAll(/[-T:]/g, '_')}`

/**
 * The target of a request; null when it only reads.
 * @throws AppError `dml_not_allowed` where the database does not allow it; `unprocessable` for an invalid name; `bad_request` for
 * a catalog that the database does not have
 */
export function resolveTarget(
  { select_as_cta, ctas_method, tmp_table_name, schema, catalog }: ExecuteRequest,
  database: DatabaseRow,
  userId: number,
  now: Date,
): Target | null {
  if (!select_as_cta) return null
  const method = (ctas_method ?? 'TABLE').toUpperCase()
  if (method !== 'TABLE' && method !== 'VIEW')
    throw new AppError('bad_request', {
      message: message('errors.sqllab.ctasMethod', 'ctas_method must be TABLE or VIEW.'),
    })
  const isReadOnly = isReadOnlyConnection(database)
  if (method === 'TABLE' && (isReadOnly || database.allow_ctas === 0))
    throw new AppError('dml_not_allowed', {
      status: 403,
      message: message('errors.sqllab.ctasNotAllowed', 'CREATE TABLE AS is not allowed on this database.'),
    })
  if (method === 'VIEW' && (isReadOnly || database.allow_cvas === 0))
    throw new AppError('dml_not_allowed', {
      status: 403,
      message: message('errors.sqllab.cvasNotAllowed', 'CREATE VIEW AS is not allowed on this database.'),
    })
  const table = tmp_table_name?.trim() || createDefaultName(userId, now)
  checkNewTableName(table)
  if (catalog && !engineFor(database).supports.catalogs && catalog !== defaultCatalogOf(database))
    throw new AppError('bad_request', {
      message: message(
        'errors.sqllab.noCatalogs',
        'This database has no catalogs, so a table cannot be created in the catalog "{catalog}".',
        { catalog },
      ),
    })
  // A session of a network database runs in the schema of the request, where the unqualified name leads as well.
  const requested = engineFor(database).kind === 'embedded' ? schema : null
  return { method, table, schema: database.force_ctas_schema || requested || null }
}

/** @throws AppError `invalid_ctas`, `invalid_cvas` for SQL that nothing can be created from */
export function checkTarget({ method }: Target, { statements }: Inspection): void {
  const last = statements.at(-1)
  const isSelect = last?.kind === 'select' && last.readOnly
  if (method === 'VIEW' && (!isSelect || statements.length !== 1)) throw new AppError('invalid_cvas')
  if (!isSelect) throw new AppError('invalid_ctas')
}

/** The target's name in SQL, each part quoted for the dialect. */
export const formatTargetName = ({ schema, table }: Target, dialect: Dialect): string =>
  [schema, table]
    .filter((part) => part !== null)
    .map((part) => dialect.quote(part))
    .join('.')

/** Prefix for the text of a SELECT. */
export function buildCreateAs(target: Target, dialect: Dialect): string {
  const options = target.method === 'TABLE' && dialect.newTable ? ` ${dialect.newTable}` : ''
  return `CREATE ${target.method} ${formatTargetName(target, dialect)}${options} AS \n`
}

/** Query that shows the rows of the new table. */
export const buildSelect = (target: Target, dialect: Dialect, rows: number): string =>
  `SELECT *\nFROM ${formatTargetName(target, dialect)}\nLIMIT ${rows}`
