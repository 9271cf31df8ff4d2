import { availableParallelism } from 'node:os'
import { requesterKey } from '../../access/principal.ts'
import { FairQueue } from '../../concurrency/fair-queue.ts'
import { buildReportContent } from '../../picture/report-content.ts'
import { evaluateCondition } from '../alert/evaluate-condition.ts'
import type { ReportDeps } from '../deps.ts'
import { findNextRun } from '../schedule/schedule.ts'
import { parseReportExtra, parseValidatorConfig } from '../stored-json.ts'
import type { RunDeps } from './deps.ts'

/** Draws in turns of the users, and leaves a core to those who wait for a page. */
function createDrawing(): RunDeps['buildContent'] {
  const slots = new FairQueue(Math.max(1, availableParallelism() - 1))
  return async (request, context) => {
    const slot = { requester: requesterKey(context.principal), signal: context.signal }
    const release = await slots.acquire(slot).acquired
    try {
      return await buildReportContent(request, context)
    } finally {
      release()
    }
  }
}

/** Connects runs with what draws, evaluates and schedules reports. */
export const createRunDeps = (
  deps: ReportDeps & Pick<RunDeps, 'server'>,
  { isStoreShared }: Pick<RunDeps, 'isStoreShared'>,
): RunDeps => ({
  ...deps,
  isStoreShared,
  buildContent: createDrawing(),
  nextRun: findNextRun,
  evaluateAlert: ({ database_id, sql, validator_type, validator_config_json, extra_json }, principal, signal) =>
    evaluateCondition(
      deps,
      {
        database_id,
        sql,
        metric: parseReportExtra(extra_json).parquetry?.metric,
        validator_type,
        validator_config: parseValidatorConfig(validator_config_json),
      },
      principal,
      signal,
    ),
})
