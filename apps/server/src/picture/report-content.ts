import type { DataMask, ReportFile, ReportFormat } from '@parquetry/model'
import type { ChartRow } from '../chart/chart-resource.ts'
import type { StoredDashboard } from '../chart/stored-dashboard.ts'

/** What a report sends, drawn with the rights of the principal of the context. */
export interface ContentRequest {
  target:
    | { chart: ChartRow }
    | { dashboard: StoredDashboard; dataMask?: DataMask | undefined; tabs?: string[] | undefined }
  format: Exclude<ReportFormat, 'NONE'>
  /** Of images, in CSS pixels. */
  width?: number | undefined
  orientation?: 'portrait' | 'landscape' | undefined
  /** IANA name. */
  timeZone: string
}

/** Files and, for `TEXT`, a table as sanitized HTML and as plain text. */
export interface ReportContent {
  files: ReportFile[]
  table: { html: string; text: string } | null
  /** Charts that failed, with the reason that the file also shows. */
  failures: { chart: string; reason: string }[]
}
