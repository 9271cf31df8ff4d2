import { notify } from '../../notification/notify.ts'
import type { ReportRow } from '../report-owner.ts'
import type { RunDeps } from './deps.ts'
import { logPath, notifiedUsers } from './owners.ts'

/** Switches off a report whose owner is gone, and tells its other owners, or the administrators if there are none. */
export const stopReport = ({ db, now }: Pick<RunDeps, 'db' | 'now'>, report: ReportRow): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('report')
      .set({ active: 0, next_at: null })
      .where('id', '=', report.id)
      .where('active', '=', 1)
      .executeTakeFirst()
    if (Number(numUpdatedRows) === 0) return
    const { name, type } = report
    await notify(trx, now(), await notifiedUsers(trx, report), {
      kind: 'report_stopped',
      parameters: { name, type },
      path: logPath(report),
    })
  })
