import {
  AppError,
  message,
  saidByDatabase,
  type ErrorCode,
  type Inspection,
  type SqlMark,
  type ValidateSql,
} from '@parquetry/model'
import { lex } from '@parquetry/model/lex'
import { inWholeText, isReadOnly } from '@parquetry/sql'
import { renderSql } from '../templates/render-sql.ts'
import type { Place } from '../sql-access/table-access.ts'
import { judge, placeOf } from '../sql-access/judge.ts'
import { askCatalogue, type CatalogueContext } from '../connection/catalogue.ts'
import { type DatabaseRow, engineFor, sourceOf } from '../connection/source.ts'

/** What an engine says of a text as such, not of the connection or of its own state. */
const ofText: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...saidByDatabase,
  'sql_not_allowed',
  'template_missing',
  'template_invalid',
])

const dialectOf = (database: DatabaseRow): string => engineFor(database).dialect.name

/** How long the word is that stands at a place, so that a mark has an end; null when nothing stands there. */
function lengthAt(sql: string, offset: number, dialect: string): number | null {
  const token = lex(sql, dialect).find(({ start, text }) => start <= offset && offset < start + text.length)
  return token && token.kind !== 'unclosed' ? token.start + token.text.length - offset : null
}

function markOf(
  { sql, dialect }: { sql: string; dialect: string },
  message: string,
  details: Record<string, unknown>,
): SqlMark {
  const { line, column, offset } = details as { line?: number; column?: number; offset?: number }
  const length = offset === undefined || column === undefined ? null : lengthAt(sql, offset, dialect)
  return {
    line_number: line ?? null,
    start_column: column ?? null,
    end_column: column !== undefined && length !== null ? column + length : null,
    message,
  }
}

/** Whether the engine may be asked about the text: what it says tells of tables, so only of those that may be read. */
async function maybeAsked(
  context: CatalogueContext,
  database: DatabaseRow,
  { sql, inspection }: { sql: string; inspection: Inspection },
  place: Place,
): Promise<boolean> {
  if (!isReadOnly(inspection)) return false
  try {
    await judge(sql, inspection, database, context, place)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

/** What the engine says of each query, one after the other, until one is not right. */
async function askEngine(
  context: CatalogueContext,
  database: DatabaseRow,
  { sql, inspection }: { sql: string; inspection: Inspection },
  place: Place,
): Promise<SqlMark[]> {
  for (const [index, { kind, span }] of inspection.statements.entries()) {
    if (kind !== 'select') continue
    try {
      const what = { what: 'columns', sql: sql.slice(...span) } as const
      await askCatalogue(context, database, what, { ...place, force: true })
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'unsupported') continue
      if (!ofText.has(error.code)) throw error
      const { code, message, details } = error
      const placed = new AppError(code, { message, details: { ...details, statement: index + 1 } })
      const found = inWholeText(sql, inspection, placed) as AppError
      return [markOf({ sql, dialect: dialectOf(database) }, found.message, found.details)]
    }
  }
  return []
}

/** Whether an administrator has switched checking off for this engine (SQL_VALIDATORS_BY_ENGINE). */
const isOff = ({ deps }: CatalogueContext, { backend }: DatabaseRow): boolean =>
  !deps.settings.config.SQL_VALIDATORS_BY_ENGINE[backend]

/**
 * Says where a text is not right, in the engine's dialect and, where it may be asked, by the engine itself; nothing is run.
 * @throws AppError `unprocessable` when there is nobody to ask, or the asking failed
 */
export async function validateSql(
  context: CatalogueContext,
  database: DatabaseRow,
  { sql: written, schema = null, catalog = null, template_params }: ValidateSql,
): Promise<SqlMark[]> {
  if (isOff(context, database)) throw new AppError('validator_missing')
  const { deps, principal, signal: asked } = context
  const seconds = deps.settings.config.SQLLAB_VALIDATION_TIMEOUT
  const late = AbortSignal.timeout(seconds * 1000)
  const signal = AbortSignal.any([asked, late])
  try {
    const templateParams = template_params ? JSON.stringify(template_params) : null
    const place = placeOf(context, database, { schema, catalog })
    const sql = await renderSql(deps, principal, database, { sql: written, templateParams, name: '', ...place })
    const source = await sourceOf(deps, database, principal, place.schema, place.catalog)
    const inspection = await deps.runners.inspect(sql, source, signal)
    if (inspection.error)
      return [markOf({ sql, dialect: dialectOf(database) }, inspection.error.message, { ...inspection.error })]
    if (!(await maybeAsked(context, database, { sql, inspection }, place))) return []
    return await askEngine({ ...context, signal }, database, { sql, inspection }, place)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (late.aborted)
      throw new AppError('validation_failed', {
        message: message(
          'errors.sqllab.checkTimeout',
          'The SQL check did not finish within {seconds, plural, one {# second} other {# seconds}}.',
          { seconds },
        ),
        cause: error,
      })
    if (error.code === 'template_missing' || error.code === 'template_invalid')
      return [{ line_number: 1, start_column: null, end_column: null, message: error.message }]
    throw new AppError('validation_failed', { message: error.message, cause: error })
  }
}
