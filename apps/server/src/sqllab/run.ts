import { AppError, type Encoding, type ExecuteRequest, message } from '@parquetry/model'
import { sql } from 'kysely'
import { invalidateDescriptions } from '../connection/describe-source.ts'
import type { DatabaseRow } from '../connection/source.ts'
import { hasPermission, type Principal } from '../access/principal.ts'
import type { RunStream } from '../runners/runners.ts'
import { databaseAccess } from '../access/access.ts'
import { loadPrincipalById } from '../access/load-principal.ts'
import { resolveTarget, type Target } from './create-as.ts'
import { createTable } from './create-table.ts'
import type { SqllabDeps } from './deps.ts'
import { beginQuery, type QueryRow } from './history.ts'
import { prepareRun, type PreparedRun } from './prepare.ts'
import type { RunHandle, RunningQueries } from './running.ts'
import { RunRecord } from './run-record.ts'

/** A run, from its row in the history to its end there. */
export interface SqlRun {
  deps: SqllabDeps
  request: ExecuteRequest
  database: DatabaseRow
  principal: Principal
  target: Target | null
  handle: RunHandle
  record: RunRecord
  timeoutMs: number
  /** No client waits for it. */
  isBackground: boolean
}

/**
 * The user whose SQL a job runs, with their current permissions.
 * @throws AppError `forbidden` for a user who was deleted or may no longer run SQL
 */
export async function loadRunPrincipal({ db }: Pick<SqllabDeps, 'db'>, userId: number): Promise<Principal> {
  const principal = await loadPrincipalById(db, userId)
  if (!principal || !hasPermission(principal, ['can_execute_sql_query', 'SQLLab']))
    throw new AppError('forbidden', {
      message: message(
        'errors.sqllab.ownerNotAllowed',
        'The owner of this query no longer exists or no longer has permission to run SQL.',
      ),
    })
  return principal
}

/** @throws AppError `database_not_found` for a missing database, or one with nothing that the caller may read */
export async function findDatabase(
  id: number,
  { db }: Pick<SqllabDeps, 'db'>,
  principal: Principal,
): Promise<DatabaseRow> {
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

/**
 * Records the start of a run in the history.
 * @param requestSignal the signal of the request that waits for it; null for a background run
 * @returns the earlier run when the request repeats one that has not ended
 * @throws AppError `database_not_found`, `conflict`, what `resolveTarget` refuses
 */
export async function beginRun(
  request: ExecuteRequest,
  deps: SqllabDeps,
  running: RunningQueries,
  principal: Principal,
  requestSignal: AbortSignal | null,
): Promise<{ run: SqlRun } | { repeated: QueryRow; database: DatabaseRow }> {
  if (principal.id === null) throw new AppError('not_signed_in')
  const { config } = deps.settings
  const database = await findDatabase(request.database_id, deps, principal)
  const target = resolveTarget(request, database, principal.id, deps.now())
  const { row, isRepeated } = await beginQuery(deps, request, principal.id, requestSignal ? 'running' : 'pending')
  if (isRepeated) return { repeated: row, database }
  const handle = running.begin(row.id, requestSignal)
  const record = new RunRecord(deps, row, () => handle.stop())
  const timeoutMs = (requestSignal ? config.SQLLAB_TIMEOUT : config.SQLLAB_ASYNC_TIME_LIMIT_SEC) * 1000
  return {
    run: {
      deps,
      request,
      database,
      principal,
      target,
      handle: handle,
      record,
      timeoutMs,
      isBackground: !requestSignal,
    },
  }
}

/** Maximum delay of a timer. */
const maxTimerMs = 2 ** 31 - 1
/** Grace after the runner's own time limit, so that its error comes first. */
const graceMs = 1500

/** The signal for everything in a run: the caller, `stop`, and the time limit, counted from now. */
export const createRunSignal = ({ handle, timeoutMs }: SqlRun): AbortSignal =>
  AbortSignal.any([handle.signal, AbortSignal.timeout(Math.min(timeoutMs + graceMs, maxTimerMs))])

/** A run whose first rows have arrived, or that has none. */
export interface OpenedRun {
  prepared: PreparedRun
  stream: RunStream
}

/** @throws AppError what `prepare` refuses, and engine errors, with the position in the whole text */
export async function openRun(run: SqlRun, encode: Encoding, signal: AbortSignal): Promise<OpenedRun> {
  const { deps, request, database, principal, target, timeoutMs, record } = run
  const prepared = await prepareRun(deps, { request, database, principal, target, encode, timeoutMs, signal })
  record.executed = prepared.executed
  const queueOptions = { isBackground: run.isBackground, onQueuePosition: record.reportQueuePosition }
  try {
    const isFile = target !== null && prepared.plan.source.kind === 'embedded'
    const stream = isFile
      ? await createTable(deps, database, principal, target, prepared.plan, signal, record.progress, queueOptions)
      : await deps.runners.stream(prepared.plan, signal, record.progress, queueOptions)
    const { source } = prepared.plan
    if (source.kind === 'network' && source.allow_dml)
      void stream.totals.catch(() => {}).then(() => invalidateDescriptions(database))
    return { prepared, stream: locateStreamErrors(stream, prepared) }
  } catch (error) {
    throw prepared.locateError(error)
  }
}

/** Errors that arrive among the rows also get their position in the whole text. */
function locateStreamErrors({ header, chunks, totals }: RunStream, prepared: PreparedRun): RunStream {
  async function* read() {
    try {
      yield* chunks
    } catch (error) {
      throw prepared.locateError(error)
    }
  }
  totals.catch(() => {}) // fails when the chunks do
  return { header, chunks: read(), totals }
}
