import { AppError, message, type ReportFile, type ReportFormat } from '@parquetry/model'
import { randomUUID } from 'node:crypto'
import { hasPermission, type Principal } from '../../access/principal.ts'
import type { AccessContext } from '../../access/access.ts'
import { chartResource, type ChartRow } from '../../chart/chart-resource.ts'
import { findDashboard } from '../../dashboard/find-dashboard.ts'
import { visibleRow } from '../../http/resource.ts'
import type { ContentRequest, ReportContent } from '../../picture/report-content.ts'
import { readDashboardState } from '../../picture/report-state.ts'
import { readViewerRules } from '../../settings/viewer-rules.ts'
import { formatStoredTime } from '../../store/time.ts'
import type { ReportRow } from '../report-owner.ts'
import { parseReportExtra } from '../stored-json.ts'
import type { RunDeps } from './deps.ts'
import { type RunClaim, withRun } from './run-record.ts'

/** Formats whose rows can be processed by other programs, for which a permission is needed. */
const dataFormats: ReadonlySet<string> = new Set(['XLSX', 'CSV'])
const withoutData = message('errors.report.withoutData', 'This account may not export data. Choose another format.')

const none: ReportContent = { files: [], table: null, failures: [] }

/** Alerts have no attachments unless ALERTS_ATTACH_REPORTS is on. */
export function contentFormat(
  { report_format, type }: Pick<ReportRow, 'report_format' | 'type'>,
  { settings }: Pick<RunDeps, 'settings'>,
): ReportFormat {
  if (type === 'Alert' && settings.flags['ALERTS_ATTACH_REPORTS'] !== true) return 'NONE'
  return report_format as ReportFormat
}

export interface ContentScope {
  principal: Principal
  /** Drawn for all recipients and not for the principal alone. */
  isShared: boolean
  signal: AbortSignal
}

/**
 * Draws what a run sends with the rows of a principal, and stores the files for its log.
 * @throws AppError `not_found` when the principal may not see the chart or dashboard, or it was deleted
 */
export async function drawContent(
  deps: RunDeps,
  claim: RunClaim,
  report: ReportRow,
  { principal, isShared, signal }: ContentScope,
): Promise<ReportContent> {
  const format = contentFormat(report, deps)
  if (format === 'NONE' || (report.chart_id === null && report.dashboard_id === null)) return none
  if (dataFormats.has(format) && !hasPermission(principal, ['can_csv', 'Superset']))
    throw new AppError('forbidden', { message: withoutData })
  const target = await findTarget(deps, report, principal)
  const request = buildRequest(report, format, target)
  const content = await deps.buildContent(request, { deps, principal, signal, force: report.force_screenshot === 1 })
  signal.throwIfAborted()
  await storeFiles(deps, claim, { principal, isShared }, content.files)
  return content
}

const buildRequest = (
  { extra_json, custom_width, timezone }: ReportRow,
  format: ContentRequest['format'],
  target: ContentRequest['target'],
): ContentRequest => ({
  target,
  format,
  width: custom_width ?? undefined,
  orientation: parseReportExtra(extra_json).parquetry?.orientation,
  timeZone: timezone,
})

const gone = {
  chart: message('errors.report.chartGone', 'The chart was deleted, or this account may not see it.'),
  dashboard: message('errors.report.dashboardGone', 'The dashboard was deleted, or this account may not see it.'),
}

async function findTarget(
  deps: RunDeps,
  { chart_id, dashboard_id, extra_json }: ReportRow,
  principal: Principal,
): Promise<ContentRequest['target']> {
  const context: AccessContext = { db: deps.db, principal, ...readViewerRules(deps.settings) }
  if (dashboard_id !== null) {
    const error = new AppError('not_found', { message: gone.dashboard })
    const dashboard = await findDashboard(context, String(dashboard_id), error)
    return { dashboard, ...readDashboardState(parseReportExtra(extra_json), dashboard) }
  }
  try {
    return { chart: await visibleRow<ChartRow>(chartResource, chart_id ?? -1, context) }
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found')
      throw new AppError('not_found', { message: gone.chart, cause: error })
    throw error
  }
}

/** Replaces the files of an earlier attempt: each one is drawn with the rights and the data of its time. */
const storeFiles = (
  { db, now }: RunDeps,
  claim: RunClaim,
  { principal, isShared }: Omit<ContentScope, 'signal'>,
  files: readonly ReportFile[],
): Promise<void> =>
  withRun(db, claim, async (trx) => {
    const user_id = principal.id ?? -1
    await trx.deleteFrom('report_file').where('run_id', '=', claim.id).where('user_id', '=', user_id).execute()
    for (const { name, media_type, bytes } of files)
      await trx
        .insertInto('report_file')
        .values({
          uuid: randomUUID(),
          run_id: claim.id,
          user_id,
          is_shared: isShared ? 1 : 0,
          name,
          media_type,
          size: bytes.byteLength,
          created_on: formatStoredTime(now()),
          bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
        })
        .execute()
  })
