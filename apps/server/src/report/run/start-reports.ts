import type { ReportDeps } from '../deps.ts'
import { createRunDeps } from './create-run-deps.ts'
import type { RunDeps } from './deps.ts'
import { ReportScheduler } from './scheduler.ts'

/**
 * Starts sending reports, if the flag ALERT_REPORTS is on.
 * @returns a function that stops it
 */
export function startReports(
  deps: ReportDeps & Pick<RunDeps, 'server'>,
  options: Pick<RunDeps, 'isStoreShared'>,
): () => Promise<void> {
  if (deps.settings.flags['ALERT_REPORTS'] !== true) return () => Promise.resolve()
  const scheduler = new ReportScheduler(createRunDeps(deps, options))
  return () => scheduler.close()
}
