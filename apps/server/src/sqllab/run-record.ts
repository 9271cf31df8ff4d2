import { AppError, message, type Message, type RunHeader, type RunTotals, translateMessage } from '@parquetry/model'
import type { Updateable } from 'kysely'
import { randomUUID } from 'node:crypto'
import { typedError } from '../http/errors.ts'
import type { OnProgress } from '../runners/runner-process.ts'
import { errorTranslator } from '../settings/messages.ts'
import { toAppError } from '../store/failure.ts'
import type { QueryTable } from '../store/tables.ts'
import { formatStoredTime } from '../store/time.ts'
import type { SqllabDeps } from './deps.ts'
import { parseExtra, type QueryRow, updateQuery } from './history.ts'
import { resolveLimitingFactor } from './limit.ts'
import type { Target } from './create-as.ts'
import type { PreparedRun } from './prepare.ts'
import { resultColumns } from './query-view.ts'

/** Short runs report only their end. */
const reportIntervalMs = 500

/** Records a run while it runs and when it ends. A stopped run stays stopped. */
export class RunRecord {
  readonly #deps: SqllabDeps
  readonly #stopped: () => void
  readonly #began = performance.now()
  #reportedAt = 0
  #ahead: number | null = null
  #waiting: NodeJS.Timeout | undefined
  #writing: Promise<unknown> = Promise.resolve()
  row: QueryRow
  /** The last statement as it is executed, once it is known. */
  executed: string | null = null
  /** Called with each update that is recorded while the run is active. */
  onChange: (row: QueryRow) => Promise<void> = async () => {}

  /** @param stopped called when the row shows that the run was stopped, for example by another server */
  constructor(deps: SqllabDeps, row: QueryRow, stopped: () => void) {
    this.#deps = deps
    this.row = row
    this.#stopped = stopped
  }

  /** Changes `pending` to `running`. @throws AppError `query_stopped` when it was stopped while it waited */
  async begin(): Promise<void> {
    const row = await updateQuery(this.#deps, this.row.id, { status: 'running' })
    if (!row) throw new AppError('query_stopped')
    this.row = row
    await this.onChange(row)
  }

  readonly progress: OnProgress = (statement, statementCount, rows) => {
    const now = performance.now()
    if (now - this.#began < reportIntervalMs || now - this.#reportedAt < reportIntervalMs) return
    this.#reportedAt = now
    const extra = {
      ...ownExtra(this.row),
      progress: `Running statement ${statement} out of ${statementCount}`,
      rows_read: rows,
    }
    this.#write({ progress: Math.floor(((statement - 1) / statementCount) * 100), extra_json: JSON.stringify(extra) })
  }

  /** Called with the number of queries ahead; null when the wait ends. Short waits are not recorded. */
  readonly reportQueuePosition = (ahead: number | null): void => {
    this.#ahead = ahead
    if (ahead === null) clearTimeout(this.#waiting)
    else this.#waiting ??= setTimeout(() => this.#writeQueuePosition(), reportIntervalMs)
    if (ahead === null) this.#waiting = undefined
  }

  #writeQueuePosition(): void {
    this.#waiting = undefined
    if (this.#ahead === null) return
    const progress = `Waiting in the queue: position ${this.#ahead + 1}`
    this.#write({ extra_json: JSON.stringify({ ...ownExtra(this.row), progress, ahead: this.#ahead }) })
  }

  #write(change: Updateable<QueryTable>): void {
    this.#writing = this.#writing.then(async () => {
      const row = await updateQuery(this.#deps, this.row.id, change).catch((error: unknown) => {
        this.#deps.log.error({ err: error }, 'could not record the progress of a query')
        return this.row
      })
      if (!row) return this.#stopped()
      this.row = row
      return this.onChange(row)
    })
  }

  /**
   * Records the success of a run.
   * @param keep  stores the result under a key, with the row as it will be, and returns whether it succeeded; null: it is not
   * stored. An announced result can therefore be fetched
   * @throws AppError `query_stopped` when it was stopped before
   */
  async succeed(
    {
      limit,
      factor,
      executed,
      tables,
      selectSql,
    }: Pick<PreparedRun, 'limit' | 'factor' | 'executed' | 'tables' | 'selectSql'>,
    header: RunHeader,
    { rowcount, truncated }: RunTotals,
    { target, keep }: { target: Target | null; keep: ((key: string, row: QueryRow) => Promise<boolean>) | null },
  ): Promise<QueryRow> {
    await this.#writing
    const { db, now } = this.#deps
    const endedAt = now()
    const extra = {
      ...ownExtra(this.row),
      cancel_query: this.row.client_id,
      progress: null,
      columns: resultColumns(header),
    }
    const end = {
      status: 'success',
      progress: 100,
      rows: rowcount,
      limit,
      limiting_factor: resolveLimitingFactor(factor, { rows: rowcount, isCut: truncated }, limit),
      executed_sql: executed,
      sql_tables: tables,
      select_sql: selectSql,
      tmp_table_name: target?.table ?? null,
      tmp_schema_name: target?.schema ?? null,
      end_time: endedAt.getTime(),
      extra_json: JSON.stringify(extra),
      changed_on: formatStoredTime(endedAt),
    }
    const key = randomUUID()
    const isStored = keep !== null && (await keep(key, { ...this.row, ...end, results_key: key }))
    const updated = await db.transaction().execute(async (trx) => {
      const row = await updateQuery({ db: trx, now }, this.row.id, { ...end, results_key: isStored ? key : null })
      if (row)
        await trx
          .updateTable('saved_query')
          .set({ rows: rowcount, last_run: formatStoredTime(endedAt) })
          .where('db_id', '=', this.row.database_id)
          .where('sql', '=', this.row.sql)
          .execute()
      return row
    })
    if (!updated) throw new AppError('query_stopped')
    this.row = updated
    return updated
  }

  /**
   * Records why a run failed, in the language of the server. Never throws for a run that has already ended: the first outcome
   * counts.
   */
  async fail(error: unknown, wasStopped: boolean): Promise<void> {
    await this.#writing
    const appError = toAppError(error)
    const isTimeout = appError.code === 'query_timeout'
    const isStopped = wasStopped || appError.code === 'query_stopped' || appError.code === 'restarting'
    const translate = errorTranslator(this.#deps.settings)
    const errors = isStopped ? undefined : [typedError(appError, translate)]
    const extra = { ...ownExtra(this.row), progress: null, ...(errors && { errors }) }
    const row = await updateQuery(this.#deps, this.row.id, {
      status: isStopped ? 'stopped' : isTimeout ? 'timed_out' : 'failed',
      error_message: translateMessage(isStopped ? stopReason(appError) : appError.sentence, translate),
      executed_sql: this.executed,
      end_time: this.#deps.now().getTime(),
      extra_json: JSON.stringify(extra),
    })
    if (row) this.row = row
  }
}

/** Removes progress data, which is useless once the run has ended. */
function ownExtra(row: QueryRow): Record<string, unknown> {
  const { rows_read: _, ahead: _ahead, ...extra } = parseExtra(row)
  return extra
}

/** Message in the history for a stopped run. */
export const stopReason = ({ code, sentence }: AppError): string | Message =>
  code === 'restarting' ? sentence : message('errors.sqllab.stopped', 'Query was stopped.')
