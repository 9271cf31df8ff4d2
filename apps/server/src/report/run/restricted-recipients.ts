import { message, type RecipientConfig, type RecipientType } from '@parquetry/model'
import type { Principal } from '../../access/principal.ts'
import { listOutsiders } from '../recipients.ts'
import type { ReportRow } from '../report-owner.ts'
import { findRestrictedTables } from '../restricted-content.ts'
import { parseReportExtra } from '../stored-json.ts'
import type { DeliveryRow } from './delivery-record.ts'
import type { RunDeps } from './deps.ts'
import { toText } from './report-texts.ts'

/**
 * Finds recipients without an account to whom a report would send rows that row-level security rules restrict, although its owner
 * did not confirm them: the rules or the content may have changed since it was saved.
 * @returns the reason and their deliveries; undefined when there are none
 */
export async function findUnconfirmedRecipients(
  deps: RunDeps,
  report: ReportRow,
  owner: Principal,
  deliveries: readonly DeliveryRow[],
  signal: AbortSignal,
): Promise<{ ids: Set<number>; reason: string } | undefined> {
  const { confirmed = [], metric } = parseReportExtra(report.extra_json).parquetry ?? {}
  const known = new Set(confirmed.map((target) => target.trim().toLowerCase()))
  const ids = new Set<number>()
  for (const { id, type, config_json } of deliveries) {
    const recipient = {
      type: type as RecipientType,
      recipient_config_json: JSON.parse(config_json) as RecipientConfig,
    }
    const outsiders = await listOutsiders(deps.db, [recipient])
    if (outsiders.some((target) => !known.has(target.toLowerCase()))) ids.add(id)
  }
  if (ids.size === 0) return undefined
  const { chart_id, dashboard_id, database_id, sql } = report
  const source = { chart_id, dashboard_id, database_id, sql, metric }
  const tables = await findRestrictedTables(deps, owner, source, signal)
  if (tables.length === 0) return undefined
  const reason = message(
    'errors.report.unconfirmedRecipient',
    'This recipient has no account and would get rows of {tables}, which row-level security rules restrict. Confirm the recipient in the report.',
    { tables: tables.join(', ') },
  )
  return { ids, reason: toText(reason, deps.settings) }
}
