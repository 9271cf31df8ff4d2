import type { ReportConditionResult } from '@parquetry/model'
import type { Principal } from '../../access/principal.ts'
import type { Channels } from '../../channel/channel.ts'
import type { ChartDeps } from '../../chart/deps.ts'
import type { PictureContext } from '../../picture/chart-picture.ts'
import type { ContentRequest, ReportContent } from '../../picture/report-content.ts'
import type { ReportRow } from '../report-owner.ts'

/** Dependencies of running reports. */
export interface RunDeps extends ChartDeps {
  /** Id of this server, which owns the runs that it works on. */
  server: string
  channels: Channels
  /** Other servers may use the store: `server` lists those that are alive. */
  isStoreShared: boolean
  /** Draws what a report sends. */
  buildContent(request: ContentRequest, context: PictureContext): Promise<ReportContent>
  /** Evaluates the condition of an alert with the rights of its owner. */
  evaluateAlert(report: ReportRow, principal: Principal, signal: AbortSignal): Promise<ReportConditionResult>
  /** The first scheduled time after another; null when none is left. */
  nextRun(schedule: Pick<ReportRow, 'crontab' | 'timezone'>, after: Date): Date | null
}
