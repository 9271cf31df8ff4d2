import { AppError, type ExecuteMetadata, type InspectedStatement, message } from '@parquetry/model'
import { spliceLimit } from '@parquetry/sql'
import { requesterKey } from '../access/principal.ts'
import { parseSqlTables } from '../user-sql/sql-tables.ts'
import type { CachedResult } from '../jobs/result-store.ts'
import { gather } from '../runners/gather.ts'
import { cutRows } from './cut-rows.ts'
import type { SqllabDeps } from './deps.ts'
import { withRows } from './execute.ts'
import { authorizeTables, refuseSecrets } from '../sql-access/authorize-sql.ts'
import { findRun, type PastRun, prepareRerun } from './past-run.ts'
import type { Caller, PreparedSql } from '../user-sql/prepare-user-sql.ts'
import { loadTableRules } from '../row-level-security/load-rules.ts'

const resultGone = (cause?: unknown): AppError =>
  new AppError('gone', {
    message: message(
      'errors.sqllab.resultGone',
      'Data could not be retrieved from the results backend. You need to re-run the original query.',
    ),
    cause,
  })

/**
 * The stored result of a run, for users who may still read everything that it read.
 * @throws AppError `gone` for an expired or unknown key, a run of another user, and where row-level security rules apply today
 * that the run did not have; what `authorizeSql` refuses today
 */
export async function findResult(deps: SqllabDeps, caller: Caller, key: string): Promise<CachedResult> {
  const run = await findRun(deps, caller, 'results_key', key)
  const cached = run && (await deps.results.find(key))
  if (!run || !cached) throw resultGone()
  await authorizeResult(deps, caller, run)
  return cached
}

/** Checks the tables that were read, whatever the templates render today. */
async function authorizeResult(deps: SqllabDeps, caller: Caller, run: PastRun): Promise<void> {
  const { query, database } = run
  // Its rows are those that the database returns to the user who ran it.
  if (database.impersonate_user === 1 && query.user_id !== caller.principal.id) throw resultGone()
  const rerun = await prepareRerun(deps, caller, run)
  const tables = (parseSqlTables(query) as { catalog: string | null; schema: string | null; table: string }[]).map(
    ({ table: name, ...location }) => ({ ...location, name }),
  )
  refuseSecrets(tables, database, caller.principal, rerun.namespace)
  await authorizeTables(tables, database, { db: deps.db, principal: caller.principal }, rerun.namespace)
  if (!deps.settings.flags['RLS_IN_SQLLAB']) return
  const restricted = await loadTableRules(deps.db, caller.principal, database)
  const isRestricted = restricted.some(({ table }) =>
    tables.some(({ name }) => name.toLowerCase() === table.name.toLowerCase()),
  )
  const last = rerun.inspection.statements.at(-1)
  if (isRestricted && (!last || !query.executed_sql || !isSameStatement(query.executed_sql, rerun, last, query.limit)))
    throw resultGone()
}

/** Ignores the limit that the server added. */
const isSameStatement = (
  executed: string,
  { sql, source }: PreparedSql,
  last: InspectedStatement,
  limit: number | null,
): boolean =>
  executed ===
  (source.kind === 'embedded' || limit === null ? sql.slice(...last.span) : spliceLimit(sql, last, limit + 1))

/**
 * The first rows of a stored result as JSON of the API.
 * @param maxRows rows; when there are more, `displayLimitReached` is set
 */
export async function resultJson(
  deps: SqllabDeps,
  { principal, signal }: Caller,
  cached: CachedResult,
  maxRows: number,
): Promise<Buffer> {
  try {
    const bytes = Buffer.concat(await gather(cached.read()))
    if (cached.form === 'json') return truncateCachedAnswer(bytes, maxRows)
    const answer = decodeHead(bytes)
    const { chunks } = await deps.runners.encode(
      bytes,
      { as: 'rows', times: 'iso' },
      maxRows,
      signal,
      requesterKey(principal),
    )
    const rows = Buffer.concat(await gather(chunks))
    return answerJson(answer, rows.length === 0 ? Buffer.from('[]') : rows, (answer.query.rows ?? 0) > maxRows)
  } catch (error) {
    throw isUnreadable(error) ? resultGone(error) : error
  }
}

/** The file of the result is gone or damaged. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof AppError
    ? error.code === 'gone' || error.code === 'internal'
    : error instanceof SyntaxError || error instanceof RangeError

const answerJson = (answer: ExecuteMetadata, rows: Buffer, isTruncated: boolean): Buffer =>
  Buffer.concat(withRows({ ...answer, ...(isTruncated && { displayLimitReached: true }) }, rows))

/** The response of a run with at most `most` rows. */
export function truncateAnswer(answer: ExecuteMetadata, rows: Buffer, maxRows: number): Buffer {
  const isLonger = (answer.query.rows ?? 0) > maxRows
  return isLonger ? answerJson(answer, cutRows(rows, maxRows), true) : answerJson(answer, rows, false)
}

const dataKey = Buffer.from(',"data":')

/** Quotes inside strings are escaped, so the first match of the key is the key itself. */
function truncateCachedAnswer(body: Buffer, maxRows: number): Buffer {
  const dataIndex = body.indexOf(dataKey)
  const answer = JSON.parse(`${body.subarray(0, dataIndex).toString('utf8')}}`) as ExecuteMetadata
  if ((answer.query.rows ?? 0) <= maxRows) return body
  return truncateAnswer(answer, body.subarray(dataIndex + dataKey.length, -1), maxRows)
}

/** Reads the first frame message: a length and JSON. */
function decodeHead(frames: Buffer): ExecuteMetadata {
  const text = frames.toString('utf8', 4, 4 + frames.readUInt32LE(0))
  return (JSON.parse(text) as { answer: ExecuteMetadata }).answer
}
