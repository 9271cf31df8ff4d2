import type { ChannelDeps } from '../channel/deps.ts'
import type { ChartDeps } from '../chart/deps.ts'

/** Dependencies of alerts and reports. */
export interface ReportDeps extends ChannelDeps, ChartDeps {}
