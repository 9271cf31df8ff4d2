import { escapeHtml } from '../../http/escape-html.ts'
import { randomUUID } from 'node:crypto'
import { notify } from '../../notification/notify.ts'
import type { ReportRow } from '../report-owner.ts'
import type { RunDeps } from './deps.ts'
import { linkOrigin } from './page-link.ts'
import { logPath, notifiedUsers, type NotifiedUser } from './owners.ts'
import { reportTranslator } from './report-texts.ts'
import { endRun, type RunClaim, type RunEnd, withRun } from './run-record.ts'
import { markUnknown } from './unknown-deliveries.ts'

/** This number of failures in a row is reported to the owners, once until the next success. */
export const reportedFailures = 3

/** Ends a run. What it was still handing over may have been sent. */
export async function finishRun(deps: RunDeps, claim: RunClaim, report: ReportRow, end: RunEnd): Promise<void> {
  const { db, now } = deps
  const notified = await withRun(db, claim, async (trx) => {
    await markUnknown(trx, deps, claim)
    const failures = await endRun(trx, claim, end, now())
    if (failures !== reportedFailures) return []
    const users = await notifiedUsers(trx, report)
    const { name, type } = report
    await notify(trx, now(), users, {
      kind: 'report_failed',
      parameters: { name, type, failures, reason: end.reason ?? '' },
      path: logPath(report),
    })
    return users
  })
  // The notification in the product is certain; an e-mail that fails is not repeated, and nothing waits for it.
  void mailFailures(deps, report, notified, end.reason ?? '').catch((error: unknown) =>
    deps.log.warn({ err: error, report: report.id }, 'the owners of a failing report could not be notified by e-mail'),
  )
}

const mailTimeoutMs = 60_000

async function mailFailures(
  { channels, settings }: RunDeps,
  report: ReportRow,
  users: readonly NotifiedUser[],
  reason: string,
): Promise<void> {
  const { Email: channel } = channels
  if (users.length === 0 || channel.missingSettings().length > 0) return
  const t = reportTranslator(settings)
  const { name } = report
  const subject = t('report.failed.subject', '"{name}" has failed {count} times in a row', {
    name,
    count: reportedFailures,
  })
  const origin = linkOrigin(settings)
  const url = origin === null ? null : `${origin}${logPath(report)}`
  const lines = [subject, reason]
  for (const { email } of users.filter((user) => user.email !== ''))
    await channel.send(
      { target: email },
      {
        id: randomUUID(),
        subject: subject.replace(/\s+/g, ' '),
        text: lines.join('\n\n'),
        html: lines.map((line) => `<p>${escapeHtml(line)}</p>`).join(''),
        files: [],
        url,
        source: {
          name,
          description: '',
          type: report.type === 'Alert' ? 'Alert' : 'Report',
          format: 'NONE',
          chart_id: report.chart_id,
          dashboard_id: report.dashboard_id,
        },
      },
      AbortSignal.timeout(mailTimeoutMs),
    )
}
