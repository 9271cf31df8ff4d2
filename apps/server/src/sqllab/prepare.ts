import {
  AppError,
  errorCodes,
  defaultLimits,
  type Encoding,
  type ExecuteRequest,
  type InspectedStatement,
  message,
  type Plan,
  type Source,
  type Statement,
} from '@parquetry/model'
import { relocateError, isReadOnly, listTables, spliceLimit } from '@parquetry/sql'
import { type DatabaseRow, engineFor } from '../connection/source.ts'
import type { Principal } from '../access/principal.ts'
import { checkTarget, buildCreateAs, buildSelect, type Target } from './create-as.ts'
import { checkCopiedTables } from './create-table.ts'
import type { SqllabDeps } from './deps.ts'
import { resolveLimit, type LimitingFactor } from './limit.ts'
import { prepareUserSql, type UserSql } from '../user-sql/prepare-user-sql.ts'
import { serializeSqlTables } from '../user-sql/sql-tables.ts'

/** SQL that is ready to run: its statements run on one connection, and the rows of the last one are the result. */
export interface PreparedRun {
  plan: Plan
  limit: number
  factor: LimitingFactor
  /** The last statement as it is executed. */
  executed: string
  /** Tables that the SQL reads, as JSON. */
  tables: string
  /** Query that shows the table or view that is created. */
  selectSql: string | null
  /** Converts an error of the run, with its position in the SQL that was sent. */
  locateError(error: unknown): unknown
}

export interface PrepareRunOptions {
  request: ExecuteRequest
  database: DatabaseRow
  principal: Principal
  target: Target | null
  encode: Encoding
  timeoutMs: number
  signal: AbortSignal
}

/**
 * Renders, parses and authorizes SQL, and plans what to run. For a new table of an embedded database, the rows are only read
 * here.
 * @throws AppError what templates, `authorizeSql`, row-level security rules and `checkTarget` refuse
 */
export async function prepareRun(deps: SqllabDeps, options: PrepareRunOptions): Promise<PreparedRun> {
  const { request, database, principal, target, signal } = options
  const { config } = deps.settings
  const userSql = toUserSql(request)
  const { sql, inspection, inspected, source, isUnparsed } = await prepareUserSql(
    deps,
    { principal, signal },
    database,
    userSql,
  )
  if (target) checkTarget(target, inspected)
  if (target && source.kind === 'embedded') await checkCopiedTables(deps, database, listTables(inspected))
  const last = inspection.statements.at(-1)
  const { limit, factor } = resolveLimit(last, request.queryLimit, config.SQL_MAX_ROW)
  const engine = engineFor(database)
  const createsTarget = target !== null && source.kind === 'network'
  if (createsTarget && !engine.supports.createAs)
    throw new AppError('unsupported', {
      message: message('errors.sqllab.noCreateAs', '{engine} does not support creating tables or views from a query.', {
        engine: engine.title,
      }),
    })
  const { dialect } = engine
  const prefix = createsTarget ? buildCreateAs(target, dialect) : ''
  const rows = target === null ? limit + 1 : config.SQLLAB_CTAS_NO_LIMIT ? null : limit
  const text = (statement: InspectedStatement, isLast: boolean): string => {
    const maxRows = isLast ? rows : limit + 1
    const sqlLimit = maxRows === null || source.kind === 'embedded' ? null : maxRows
    const body = sqlLimit === null ? sql.slice(...statement.span) : spliceLimit(sql, statement, sqlLimit)
    return isLast ? `${prefix}${body}` : body
  }
  const statementCount = inspection.statements.length
  const statements = inspection.statements.map((statement, index): Statement => ({
    name: `statement ${index + 1} of ${statementCount}`,
    text: text(statement, index === statementCount - 1),
    values: [],
  }))
  return {
    limit,
    factor,
    executed: statements.at(-1)?.text ?? request.sql,
    tables: serializeSqlTables(inspected),
    selectSql: target && buildSelect(target, dialect, limit),
    locateError: (error) =>
      withEngineName(
        withStatementNumber(
          relocateError(request.sql, inspection, withoutPrefixOffset(error, prefix.length, statementCount)),
        ),
        engine.title,
      ),
    plan: {
      source: withWriteAccess(source, createsTarget || !isReadOnly(inspection)),
      statements,
      joins: [],
      steps: [],
      columns: [],
      encode: options.encode,
      limits: {
        ...defaultLimits,
        rows: source.kind === 'embedded' && target && config.SQLLAB_CTAS_NO_LIMIT ? Number.MAX_SAFE_INTEGER : limit,
        bytes: config.SQLLAB_PAYLOAD_MAX_MB === null ? defaultLimits.bytes : config.SQLLAB_PAYLOAD_MAX_MB * 2 ** 20,
        timeoutMs: options.timeoutMs,
      },
      guard: isUnparsed ? 'unparsed' : 'user-sql',
    },
  }
}

/** Maximum delay of the response that accepts a background run. */
const earlyLimitMs = 1000

/** The limit of a run before it starts, if its SQL can be parsed in time: errors are reported when it runs. */
export async function resolveLimitEarly(
  deps: SqllabDeps,
  { request, database, principal }: Pick<PrepareRunOptions, 'request' | 'database' | 'principal'>,
): Promise<Pick<PreparedRun, 'limit' | 'factor'>> {
  const caller = { principal, signal: AbortSignal.timeout(earlyLimitMs) }
  const last = await prepareUserSql(deps, caller, database, toUserSql(request)).then(
    ({ inspection }) => inspection.statements.at(-1),
    () => undefined,
  )
  return resolveLimit(last, request.queryLimit, deps.settings.config.SQL_MAX_ROW)
}

const toUserSql = ({ sql, templateParams, tab, schema, catalog }: ExecuteRequest): UserSql => ({
  sql,
  templateParams,
  name: tab ?? '',
  allowsUnparsed: true,
  schema: schema ?? null,
  catalog: catalog ?? null,
})

/** `authorizeSql` has authorized the changes; SQL that only reads gets a session that cannot write. */
const withWriteAccess = (source: Source, writes: boolean): Source =>
  source.kind === 'network' && writes ? { ...source, allow_dml: true } : source

/** Moves the position into the SQL of the user, which does not contain `CREATE TABLE ... AS`. */
function withoutPrefixOffset(error: unknown, prefix: number, statementCount: number): unknown {
  if (prefix === 0 || !(error instanceof AppError)) return error
  const { offset, statement = statementCount } = error.details
  if (typeof offset !== 'number' || statement !== statementCount) return error
  return error.wrap({ details: { offset: Math.max(0, offset - prefix) } })
}

/** Prefixes the message with the number of the statement when there are several. */
function withStatementNumber(error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  const { statement, of } = error.details
  if (typeof statement !== 'number' || typeof of !== 'number' || of < 2) return error
  return error.wrap({
    message: message('errors.sqllab.statement', '[Statement {statement} out of {of}] {reason}', {
      statement,
      of,
      reason: error.sentence,
    }),
  })
}

/** Types of errors that the database reports; clients read the engine's name with them. */
const engineErrorTypes =
  /^(GENERIC_DB_ENGINE|SYNTAX|COLUMN_DOES_NOT_EXIST|TABLE_DOES_NOT_EXIST|SCHEMA_DOES_NOT_EXIST|OBJECT_DOES_NOT_EXIST)_ERROR$/

const withEngineName = (error: unknown, engine_name: string): unknown =>
  error instanceof AppError && engineErrorTypes.test(errorCodes[error.code].type)
    ? error.wrap({ details: { engine_name } })
    : error
