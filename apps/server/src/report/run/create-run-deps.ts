import { buildReportContent } from '../../picture/report-content.ts'
import { evaluateCondition } from '../alert/evaluate-condition.ts'
import type { ReportDeps } from '../deps.ts'
import { findNextRun } from '../schedule/schedule.ts'
import { parseReportExtra, parseValidatorConfig } from '../stored-json.ts'
import type { RunDeps } from './deps.ts'

/** Connects runs with what draws, evaluates and schedules reports. */
export const createRunDeps = (
  deps: ReportDeps & Pick<RunDeps, 'server'>,
  { isStoreShared }: Pick<RunDeps, 'isStoreShared'>,
): RunDeps => ({
  ...deps,
  isStoreShared,
  buildContent: buildReportContent,
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
