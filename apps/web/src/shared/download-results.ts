import { buildDownloadContext, findNativeChart, type AnyChart, type ChartForm } from '@parquetry/charts'
import { api } from './api.ts'
import { saveResponse } from './save-response.ts'

const types = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  parquet: 'application/vnd.apache.parquet',
} as const
/** File formats for exporting rows. */
export type DownloadFormat = keyof typeof types

/**
 * Exports the rows of a chart to a file; those of several queries to a ZIP of files. A workbook has a chart beside the rows if the spreadsheet program
 * can draw it; the rows of other types are streamed.
 * @throws ApiError
 */
export async function downloadResults(
  chart: AnyChart,
  form: ChartForm,
  title: string,
  format: DownloadFormat,
): Promise<void> {
  const body = buildDownloadContext(chart, form, format)
  if (format === 'xlsx' && findNativeChart(chart.viz_type) && body.form_data) {
    const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    const request = { format, time_zone, title, form_data: body.form_data }
    await saveResponse(await api.send('POST', '/api/v1/chart/picture', { body: request }), `${title}.xlsx`)
    return
  }
  await saveResponse(
    await api.send('POST', '/api/v1/chart/data', { body, accept: `${types[format]}, application/zip` }),
    `${title}.${format}`,
  )
}
