import type { ExecuteRequest } from '@parquetry/model'
import type { JobEnd } from '../jobs/job-queue.ts'
import type { SqllabDeps } from './deps.ts'
import { executeInBackground } from './execute.ts'
import { findDatabase, type SqlRun, loadRunPrincipal } from './run.ts'
import type { RunningQueries } from './running.ts'
import { RunRecord } from './run-record.ts'
import { resolveTarget } from './create-as.ts'
import { publishQuery } from './query-events.ts'

const kind = 'sqllab.run'

interface Payload {
  queryId: number
  request: ExecuteRequest
}

/** Background runs: one job each, recorded in the history like every other run. */
export function backgroundRuns(deps: SqllabDeps, running: RunningQueries): { add(run: SqlRun): Promise<void> } {
  /** Waiting and running jobs by query, so that `stop` ends waiting ones as well. */
  const jobs = new Map<number, string>()

  deps.jobs.handle(kind, {
    timeoutSeconds: deps.settings.config.SQLLAB_ASYNC_TIME_LIMIT_SEC,
    async readProgress(payloads) {
      const ids = payloads.map((payload) => (payload as Payload).queryId)
      if (ids.length === 0) return []
      const rows = await deps.db.selectFrom('query').select(['id', 'progress']).where('id', 'in', ids).execute()
      const percentages = new Map(rows.map(({ id, progress }) => [id, progress]))
      return ids.map((id) => percentages.get(id) ?? null)
    },
    async run({ payload, userId, signal }) {
      const { queryId, request } = payload as Payload
      const principal = await loadRunPrincipal(deps, userId)
      const database = await findDatabase(request.database_id, deps, principal)
      const row = await deps.db.selectFrom('query').selectAll().where('id', '=', queryId).executeTakeFirstOrThrow()
      const handle = running.begin(queryId, signal)
      const record = new RunRecord(deps, row, () => handle.stop())
      const target = resolveTarget(request, database, userId, deps.now())
      const timeoutMs = deps.settings.config.SQLLAB_ASYNC_TIME_LIMIT_SEC * 1000
      record.onChange = (changed) => publishQuery(deps, changed)
      return executeInBackground({
        deps,
        request,
        database,
        principal,
        target,
        handle: handle,
        record,
        timeoutMs,
        isBackground: true,
      })
    },
    async ended({ payload }, end) {
      const { queryId } = payload as Payload
      jobs.delete(queryId)
      await close(deps, queryId, end)
    },
  })

  return {
    async add({ request, record, principal, handle }) {
      const { id } = record.row
      try {
        const job = await deps.jobs.add(kind, { queryId: id, request } satisfies Payload, principal.id!, {
          session: principal.session,
          name: record.row.tab_name,
        })
        jobs.set(id, job)
        handle.signal.addEventListener('abort', () => void deps.jobs.stop(job), { once: true })
      } catch (error) {
        handle.done()
        await record.fail(error, false)
        throw error
      }
    },
  }
}

/** Records what the run itself could not, because it never started or its server crashed. */
async function close(deps: SqllabDeps, queryId: number, end: JobEnd): Promise<void> {
  const row = await deps.db.selectFrom('query').selectAll().where('id', '=', queryId).executeTakeFirst()
  if (!row) return
  const record = new RunRecord(deps, row, () => {})
  if (end.state === 'failed') await record.fail(end.error, false)
  if (end.state === 'stopped') await record.fail(end.reason, true)
  await publishQuery(deps, record.row)
}
