import { AppError, type ExecuteRequest, message, translateMessage } from '@parquetry/model'
import type { Selectable, Updateable } from 'kysely'
import { scheduledRun } from '../jobs/scheduled-run.ts'
import { errorTranslator } from '../settings/messages.ts'
import type { QueryScheduleTable, SavedQueryTable } from '../store/tables.ts'
import type { SqllabDeps } from './deps.ts'
import { executeInBackground } from './execute.ts'
import { publishQuery } from './query-events.ts'
import { beginRun, loadRunPrincipal } from './run.ts'
import { stopReason } from './run-record.ts'
import type { RunningQueries } from './running.ts'

const toExecuteRequest = (saved: Selectable<SavedQueryTable>): ExecuteRequest => {
  if (saved.db_id === null || !saved.sql?.trim())
    throw new AppError('bad_request', {
      message: message('errors.sqllab.savedQueryEmpty', 'The saved query has no database or no SQL to run.'),
    })
  return {
    database_id: saved.db_id,
    sql: saved.sql,
    schema: saved.schema,
    catalog: saved.catalog,
    tab: saved.label,
    templateParams: saved.template_parameters,
    runAsync: true,
  }
}

/** Runs saved queries that are due, with the current permissions of their owner; each run appears in the owner's history. */
export function runScheduled(deps: SqllabDeps, running: RunningQueries): void {
  const updateSchedule = (id: number, change: Updateable<QueryScheduleTable>) =>
    deps.db.updateTable('query_schedule').set(change).where('saved_query_id', '=', id).execute()

  deps.jobs.handle(scheduledRun.kind, {
    timeoutSeconds: deps.settings.config.SQLLAB_ASYNC_TIME_LIMIT_SEC,
    async run({ payload, userId, signal }) {
      const { id } = scheduledRun.read(payload)
      const saved = await deps.db.selectFrom('saved_query').selectAll().where('id', '=', id).executeTakeFirst()
      if (!saved || saved.user_id !== userId)
        throw new AppError('not_found', {
          message: message('errors.sqllab.savedQueryGone', 'The saved query no longer exists.'),
        })
      const principal = await loadRunPrincipal(deps, userId)
      const started = await beginRun(toExecuteRequest(saved), deps, running, principal, null)
      if ('repeated' in started) throw new AppError('conflict')
      const { run } = started
      await updateSchedule(id, { last_client_id: run.record.row.client_id })
      signal.addEventListener('abort', () => run.handle.stop(), { once: true })
      run.record.onChange = (row) => publishQuery(deps, row)
      try {
        return await executeInBackground(run)
      } finally {
        await publishQuery(deps, run.record.row)
      }
    },
    async ended({ payload }, end) {
      const { id } = scheduledRun.read(payload)
      if (end.state === 'done') await updateSchedule(id, { last_status: 'success', last_error: null })
      else {
        const reason = end.state === 'failed' ? end.error.sentence : stopReason(end.reason)
        const last_error = translateMessage(reason, errorTranslator(deps.settings))
        await updateSchedule(id, { last_status: 'failed', last_error })
      }
    },
  })
}
