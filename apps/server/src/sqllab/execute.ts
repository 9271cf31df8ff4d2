import {
  AppError,
  defaultLimits,
  type Encoding,
  type ExecuteAnswer,
  type ExecuteRequest,
  type Inspection,
  type Plan,
  type RunHeader,
  type Source,
} from '@parquetry/model'
import { inWholeText, isReadOnly, spliceLimit } from '@parquetry/sql'
import { sql } from 'kysely'
import { withData } from '../chart/envelope.ts'
import { sourceOf, type DatabaseRow } from '../database/source.ts'
import type { Deps } from '../deps.ts'
import type { Principal } from '../http/principal.ts'
import { databaseAccess, type AccessContext } from '../security/access.ts'
import { beginQuery, updateQuery, type QueryRow } from './history.ts'
import { judge } from './judge.ts'
import { factorAfter, limitOf, type LimitingFactor } from './limit.ts'
import { queryView, resultColumns } from './query-view.ts'
import { keepResult, newResultsKey } from './results.ts'
import type { RunningQueries } from './running.ts'

export interface Execution {
  answer: ExecuteAnswer
  body: Buffer
}

/**
 * Runs a text to its end and keeps its story in the history, whatever happens.
 * @throws AppError `database_not_found`, what `judge` refuses, and what the engine says, with the position in the whole text
 */
export async function execute(
  request: ExecuteRequest,
  encode: Encoding,
  deps: Deps,
  running: RunningQueries,
  { principal, signal }: { principal: Principal; signal: AbortSignal },
): Promise<Execution> {
  const userId = principal.id
  if (userId === null) throw new AppError('not_signed_in')
  if (request.runAsync)
    throw new AppError('bad_request', {
      message: 'Running in the background is not available yet. Send runAsync: false.',
    })
  if (request.select_as_cta) throw new AppError('bad_request', { message: 'CREATE TABLE AS is not available yet.' })
  const access: AccessContext = {
    db: deps.db,
    principal,
    dashboardRoles: deps.settings.flags['DASHBOARD_RBAC'] === true,
  }
  const database = await findDatabase(request.database_id, access)
  const source = await sourceOf(deps, database, request.schema ?? null)
  const row = await beginQuery(deps, request, userId)
  const run = running.begin(userId, row.client_id, signal)
  try {
    const inspection = await deps.runners.inspect(request.sql, source, run.signal)
    await judge(inspection, database, access, request.schema ?? null)
    const { plan, limit, factor } = planOf(request, inspection, source, encode, deps)
    const executed = plan.statements.at(-1)?.text ?? request.sql
    // The engine works while the history is written.
    const [ran, noted] = await Promise.allSettled([
      deps.runners.run(plan, run.signal),
      updateQuery(deps, row.id, { limit, limiting_factor: factor, executed_sql: executed }),
    ])
    if (ran.status === 'rejected') throw inWholeText(request.sql, inspection, ran.reason)
    if (noted.status === 'rejected') throw noted.reason
    const { header, body } = ran.value
    const results_key = encode.as === 'rows' ? newResultsKey(body) : null
    const done = await finish(deps, { ...noted.value, results_key }, header, factor)
    const answer = answerOf(done, header, database, principal)
    if (results_key === null || (await keepResult(deps, results_key, withData(answer, body)))) return { answer, body }
    const unkept = await updateQuery(deps, row.id, { results_key: null })
    return { answer: answerOf(unkept, header, database, principal), body }
  } catch (error) {
    await fail(deps, row.id, error, run.stopped() || signal.aborted)
    throw error
  } finally {
    run.done()
  }
}

async function findDatabase(id: number, { db, principal }: AccessContext): Promise<DatabaseRow> {
  const visible = databaseAccess(principal)
  const row = await db
    .selectFrom('database')
    .selectAll()
    .where('id', '=', id)
    .where(visible ?? sql<never>`1 = 1`)
    .executeTakeFirst()
  if (!row) throw new AppError('database_not_found')
  return row
}

/** The statements in their order on one connection; the last one's rows are the answer. */
function planOf(
  request: ExecuteRequest,
  inspection: Inspection,
  source: Source,
  encode: Encoding,
  { settings }: Deps,
): { plan: Plan; limit: number; factor: LimitingFactor } {
  const { statements } = inspection
  // `judge` has let it pass; whoever only reads gets a session that cannot write.
  const isChange = source.kind === 'network' && !isReadOnly(inspection)
  const { limit, factor } = limitOf(statements.at(-1), request.queryLimit, settings.config.SQL_MAX_ROW)
  return {
    limit,
    factor,
    plan: {
      source: isChange ? { ...source, allow_dml: true } : source,
      statements: statements.map((statement, index) => ({
        name: `statement ${index + 1} of ${statements.length}`,
        text:
          source.kind === 'network'
            ? spliceLimit(request.sql, statement, limit + 1)
            : request.sql.slice(...statement.span),
        values: [],
      })),
      joins: [],
      steps: [],
      columns: [],
      encode,
      limits: { ...defaultLimits, rows: limit, timeoutMs: settings.config.SQLLAB_TIMEOUT * 1000 },
      guard: 'user-sql',
    },
  }
}

const finish = (deps: Deps, row: QueryRow, { rowcount }: RunHeader, factor: LimitingFactor): Promise<QueryRow> =>
  updateQuery(deps, row.id, {
    status: 'success',
    progress: 100,
    rows: rowcount,
    end_time: deps.now().getTime(),
    limiting_factor: factorAfter(factor, rowcount, row.limit ?? 0),
    results_key: row.results_key,
  })

async function fail(deps: Deps, id: number, error: unknown, wasStopped: boolean): Promise<void> {
  const isTimeout = error instanceof AppError && error.code === 'query_timeout'
  await updateQuery(deps, id, {
    status: wasStopped ? 'stopped' : isTimeout ? 'timed_out' : 'failed',
    error_message: wasStopped
      ? 'Query was stopped.'
      : error instanceof AppError
        ? error.message
        : 'Something went wrong on our side.',
    end_time: deps.now().getTime(),
  })
}

function answerOf(row: QueryRow, header: RunHeader, database: DatabaseRow, principal: Principal): ExecuteAnswer {
  const columns = resultColumns(header)
  return {
    query_id: row.id,
    status: 'success',
    columns,
    selected_columns: columns,
    expanded_columns: [],
    query: queryView(
      { ...row, extra_json: JSON.stringify({ cancel_query: row.client_id, progress: null, columns }) },
      database.database_name,
      principal,
    ),
  }
}
