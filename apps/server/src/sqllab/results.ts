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
import { loadRestrictedTables } from '../user-sql/row-level-security.ts'

const gone = (cause?: unknown): AppError =>
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
 * that the run did not have; what `judge` refuses today
 */
export async function findResult(deps: SqllabDeps, caller: Caller, key: string): Promise<CachedResult> {
  const run = await findRun(deps, caller, 'results_key', key)
  const kept = run && (await deps.results.find(key))
  if (!run || !kept) throw gone()
  await authorizeResult(deps, caller, run)
  return kept
}

/** Checks the tables that were read, whatever the templates render today. */
async function authorizeResult(deps: SqllabDeps, caller: Caller, run: PastRun): Promise<void> {
  const { query, database } = run
  // Its rows are those that the database returns to the user who ran it.
  if (database.impersonate_user === 1 && query.user_id !== caller.principal.id) throw gone()
  const now = await prepareRerun(deps, caller, run)
  const was = (parseSqlTables(query) as { catalog: string | null; schema: string | null; table: string }[]).map(
    ({ table: name, ...of }) => ({ ...of, name }),
  )
  refuseSecrets(was, database, caller.principal, now.namespace)
  await authorizeTables(was, database, { db: deps.db, principal: caller.principal }, now.namespace)
  if (!deps.settings.flags['RLS_IN_SQLLAB']) return
  const ruled = await loadRestrictedTables(deps, database, caller.principal, now.source.engine)
  const isRuled = ruled.some(({ name }) => was.some((table) => table.name.toLowerCase() === name.toLowerCase()))
  const last = now.inspection.statements.at(-1)
  if (isRuled && (!last || !query.executed_sql || !ranAs(query.executed_sql, now, last, query.limit))) throw gone()
}

/** Ignores the limit that the server added. */
const ranAs = (
  executed: string,
  { sql, source }: PreparedSql,
  last: InspectedStatement,
  limit: number | null,
): boolean =>
  executed ===
  (source.kind === 'embedded' || limit === null ? sql.slice(...last.span) : spliceLimit(sql, last, limit + 1))

/**
 * The first rows of a stored result as JSON of the API.
 * @param most rows; when there are more, `displayLimitReached` is set
 */
export async function resultJson(
  deps: SqllabDeps,
  { principal, signal }: Caller,
  kept: CachedResult,
  most: number,
): Promise<Buffer> {
  try {
    const bytes = Buffer.concat(await gather(kept.read()))
    if (kept.form === 'json') return truncateCachedAnswer(bytes, most)
    const answer = decodeHead(bytes)
    const { chunks } = await deps.runners.encode(
      bytes,
      { as: 'rows', times: 'iso' },
      most,
      signal,
      requesterKey(principal),
    )
    const rows = Buffer.concat(await gather(chunks))
    return answerJson(answer, rows.length === 0 ? Buffer.from('[]') : rows, (answer.query.rows ?? 0) > most)
  } catch (error) {
    throw error instanceof AppError && error.code === 'gone' ? gone(error) : error
  }
}

const answerJson = (answer: ExecuteMetadata, rows: Buffer, isCut: boolean): Buffer =>
  Buffer.concat(withRows({ ...answer, ...(isCut && { displayLimitReached: true }) }, rows))

/** The response of a run with at most `most` rows. */
export function truncateAnswer(answer: ExecuteMetadata, rows: Buffer, most: number): Buffer {
  const isLonger = (answer.query.rows ?? 0) > most
  return isLonger ? answerJson(answer, cutRows(rows, most), true) : answerJson(answer, rows, false)
}

const dataKey = Buffer.from(',"data":')

/** Quotes inside strings are escaped, so the first match of the key is the key itself. */
function truncateCachedAnswer(kept: Buffer, most: number): Buffer {
  const at = kept.indexOf(dataKey)
  const answer = JSON.parse(`${kept.subarray(0, at).toString('utf8')}}`) as ExecuteMetadata
  if ((answer.query.rows ?? 0) <= most) return kept
  return truncateAnswer(answer, kept.subarray(at + dataKey.length, -1), most)
}

/** Reads the first frame message: a length and JSON. */
function decodeHead(frames: Buffer): ExecuteMetadata {
  const text = frames.toString('utf8', 4, 4 + frames.readUInt32LE(0))
  return (JSON.parse(text) as { answer: ExecuteMetadata }).answer
}
