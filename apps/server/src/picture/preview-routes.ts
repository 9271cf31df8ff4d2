import { AppError, message, reportRoutes, type ReportContentRequest } from '@parquetry/model'
import { hasPermission, requesterKey } from '../access/principal.ts'
import { chartResource, type ChartRow } from '../chart/chart-resource.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { PerUserSemaphore } from '../concurrency/per-user-semaphore.ts'
import { findDashboard } from '../dashboard/find-dashboard.ts'
import type { App } from '../http/app.ts'
import { visibleRow } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { FieldErrorCollector, invalidPayload } from '../http/writing.ts'
import { readViewerRules } from '../settings/viewer-rules.ts'
import type { PictureContext } from './chart-picture.ts'
import { buildReportContent, type ContentRequest } from './report-content.ts'
import { readDashboardState } from './report-state.ts'

/** Concurrent previews per user, because their data is held in memory. */
const maxPerUser = 2

/** Formats whose rows can be processed by other programs, for which a permission is needed. */
const dataFormats = new Set(['XLSX', 'CSV'])

function isKnownTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** The file that a report would send, drawn with the rights of the caller. */
export function previewRoutes(app: App, deps: ChartDeps): void {
  const semaphore = new PerUserSemaphore(maxPerUser)

  /** @throws AppError `invalid_payload` for a width or a time zone that no report can have */
  function checkInput({ custom_width, timezone }: ReportContentRequest): void {
    const { ALERT_REPORTS_MIN_CUSTOM_SCREENSHOT_WIDTH: min, ALERT_REPORTS_MAX_CUSTOM_SCREENSHOT_WIDTH: max } =
      deps.settings.config
    const errors = new FieldErrorCollector(invalidPayload)
    if (custom_width != null && (custom_width < min || custom_width > max))
      errors.add(
        'custom_width',
        message('errors.report.width', 'Screenshot width must be between {min}px and {max}px', { min, max }),
      )
    if (timezone !== undefined && !isKnownTimeZone(timezone))
      errors.add(
        'timezone',
        message('errors.report.timezone', 'Not a valid time zone. Use a name such as Europe/Berlin or UTC.'),
      )
    errors.throwIfAny()
  }

  async function findTarget(body: ReportContentRequest, { principal }: PictureContext) {
    if (typeof body.chart === 'number' && body.dashboard == null)
      return { chart: await visibleRow<ChartRow>(chartResource, body.chart, readContext(app, principal)) }
    if (typeof body.dashboard !== 'number' || body.chart != null)
      throw new AppError('invalid_payload', {
        message: message('errors.report.oneTarget', 'Choose one chart or one dashboard.'),
      })
    const context = { db: deps.db, principal, ...readViewerRules(deps.settings) }
    const dashboard = await findDashboard(context, String(body.dashboard))
    return { dashboard, ...readDashboardState(body.extra ?? {}, dashboard) }
  }

  serve(app, reportRoutes.preview, async ({ body, principal, signal, reply }) => {
    if (deps.settings.flags['ALERT_REPORTS'] !== true) throw new AppError('not_found')
    const { report_format: format } = body
    checkInput(body)
    const context = { deps, principal, signal }
    const target = await findTarget(body, context)
    if (dataFormats.has(format) && !hasPermission(principal, ['can_csv', 'Superset'])) throw new AppError('forbidden')
    if (format === 'NONE')
      throw new AppError('unprocessable', {
        message: message('errors.report.noFile', 'This format has no file. Choose another format to see a preview.'),
      })
    const request: ContentRequest = {
      target,
      format,
      width: body.custom_width ?? undefined,
      orientation: body.extra?.parquetry?.orientation,
      timeZone: body.timezone ?? 'UTC',
    }
    const { files, table } = await semaphore.run(requesterKey(principal), signal, () =>
      buildReportContent(request, context),
    )
    const [file] = files
    reply.header('Cache-Control', 'no-store')
    if (!file)
      return reply.type('text/html; charset=utf-8').header('Content-Disposition', 'attachment').send(table?.html)
    return reply
      .type(file.media_type)
      .header('Content-Disposition', `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`)
      .send(Buffer.from(file.bytes))
  })
}
