import {
  AppError,
  defaultLimits,
  type Encoding,
  type ExecuteRequest,
  type InspectedStatement,
  message,
  type Plan,
  type Source,
  type Statement,
} from '@parquetry/model'
import { inWholeText, isReadOnly, spliceLimit } from '@parquetry/sql'
import { type DatabaseRow, engineFor } from '../connection/source.ts'
import type { Principal } from '../access/principal.ts'
import { checkTarget, createAs, selectFrom, type Target } from './create-as.ts'
import type { SqllabDeps } from './deps.ts'
import { limitOf, type LimitingFactor } from './limit.ts'
import { readText, type Written } from '../user-sql/read-text.ts'
import { sqlTablesText } from '../user-sql/sql-tables.ts'

/** What a text became before it runs: its statements on one connection, the last one's rows the answer. */
export interface Prepared {
  plan: Plan
  limit: number
  factor: LimitingFactor
  /** The last statement as it runs. */
  executed: string
  /** JSON: the tables that the text reads. */
  tables: string
  /** How the table or view that is made will be looked at. */
  selectSql: string | null
  /** What went wrong while it ran, with its place in the text that was sent. */
  inText(error: unknown): unknown
}

export interface Preparing {
  request: ExecuteRequest
  database: DatabaseRow
  principal: Principal
  target: Target | null
  encode: Encoding
  timeoutMs: number
  signal: AbortSignal
}

/**
 * Renders, reads and judges a text, and says what is to run. A table of an embedded database is made of rows that are only
 * read here.
 * @throws AppError what templates, `judge`, row rules and `checkTarget` refuse
 */
export async function prepare(deps: SqllabDeps, asked: Preparing): Promise<Prepared> {
  const { request, database, principal, target, signal } = asked
  const { config } = deps.settings
  const written = writtenIn(request)
  const { sql, inspection, inspected, source, isUnread } = await readText(
    deps,
    { principal, signal },
    database,
    written,
  )
  if (target) checkTarget(target, inspected)
  const last = inspection.statements.at(-1)
  const { limit, factor } = limitOf(last, request.queryLimit, config.SQL_MAX_ROW)
  const engine = engineFor(database)
  const isMade = target !== null && source.kind === 'network'
  if (isMade && !engine.supports.createAs)
    throw new AppError('unsupported', {
      message: message('errors.sqllab.noCreateAs', '{engine} does not support creating tables or views from a query.', {
        engine: engine.title,
      }),
    })
  const { dialect } = engine
  const prefix = isMade ? createAs(target, dialect) : ''
  const rows = target === null ? limit + 1 : config.SQLLAB_CTAS_NO_LIMIT ? null : limit
  const text = (statement: InspectedStatement, isLast: boolean): string => {
    const most = isLast ? rows : limit + 1
    const own = most === null || source.kind === 'embedded' ? null : most
    const body = own === null ? sql.slice(...statement.span) : spliceLimit(sql, statement, own)
    return isLast ? `${prefix}${body}` : body
  }
  const of = inspection.statements.length
  const statements = inspection.statements.map((statement, at): Statement => ({
    name: `statement ${at + 1} of ${of}`,
    text: text(statement, at === of - 1),
    values: [],
  }))
  return {
    limit,
    factor,
    executed: statements.at(-1)?.text ?? request.sql,
    tables: sqlTablesText(inspected),
    selectSql: target && selectFrom(target, dialect, limit),
    inText: (error) => numbered(inWholeText(request.sql, inspection, unshifted(error, prefix.length, of))),
    plan: {
      source: writing(source, isMade || !isReadOnly(inspection)),
      statements,
      joins: [],
      steps: [],
      columns: [],
      encode: asked.encode,
      limits: {
        ...defaultLimits,
        rows: source.kind === 'embedded' && target && config.SQLLAB_CTAS_NO_LIMIT ? Number.MAX_SAFE_INTEGER : limit,
        bytes: config.SQLLAB_PAYLOAD_MAX_MB === null ? defaultLimits.bytes : config.SQLLAB_PAYLOAD_MAX_MB * 2 ** 20,
        timeoutMs: asked.timeoutMs,
      },
      guard: isUnread ? 'unread' : 'user-sql',
    },
  }
}

/** Who waits for a run in the background to be taken does not wait for long. */
const aheadMs = 1000

/** The limit of a run before it begins, as far as its text can be read by then: what is wrong with it is told when it runs. */
export async function limitAhead(
  deps: SqllabDeps,
  { request, database, principal }: Pick<Preparing, 'request' | 'database' | 'principal'>,
): Promise<Pick<Prepared, 'limit' | 'factor'>> {
  const caller = { principal, signal: AbortSignal.timeout(aheadMs) }
  const last = await readText(deps, caller, database, writtenIn(request)).then(
    ({ inspection }) => inspection.statements.at(-1),
    () => undefined,
  )
  return limitOf(last, request.queryLimit, deps.settings.config.SQL_MAX_ROW)
}

const writtenIn = ({ sql, templateParams, tab, schema, catalog }: ExecuteRequest): Written => ({
  sql,
  templateParams,
  name: tab ?? '',
  mayBeUnread: true,
  schema: schema ?? null,
  catalog: catalog ?? null,
})

/** `judge` has let it pass; whoever only reads gets a session that cannot write. */
const writing = (source: Source, changes: boolean): Source =>
  source.kind === 'network' && changes ? { ...source, allow_dml: true } : source

/** The place in the text of the person, who has not written `CREATE TABLE ... AS`. */
function unshifted(error: unknown, prefix: number, of: number): unknown {
  if (prefix === 0 || !(error instanceof AppError)) return error
  const { offset, statement = of } = error.details
  if (typeof offset !== 'number' || statement !== of) return error
  return error.retold({ details: { offset: Math.max(0, offset - prefix) } })
}

/** Which of several statements it was stands before the message. */
function numbered(error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  const { statement, of } = error.details
  if (typeof statement !== 'number' || typeof of !== 'number' || of < 2) return error
  return error.retold({ message: `[Statement ${statement} out of ${of}] ${error.message}` })
}
