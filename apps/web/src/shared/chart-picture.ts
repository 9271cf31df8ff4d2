import type { ChartPictureRequest, PictureFormat } from '@parquetry/model'
import { api } from './api.ts'

/** What every picture is asked with: the format, the theme that its reader sees, and his clock's zone. */
export interface PictureOptions {
  format: PictureFormat
  theme: 'light' | 'dark'
  time_zone: string
}

type Chart = Omit<ChartPictureRequest, keyof PictureOptions>

/** The picture of a chart by its form, saved or not. @throws ApiError */
export const fetchChartPicture = (asked: PictureOptions, chart: Chart): Promise<Response> =>
  api.send('POST', '/api/v1/chart/picture', { body: { ...asked, ...chart } })

/** The same from what is kept of its answer, for which no database is asked; null where nothing is. @throws ApiError */
export async function fetchCachedPicture(
  asked: PictureOptions,
  chart: Chart,
  signal: AbortSignal,
): Promise<Blob | null> {
  const body = { ...asked, ...chart }
  const response = await api.send('POST', '/api/v1/chart/picture', { body, onlyCached: true, quiet: true, signal })
  return response.status === 204 ? null : response.blob()
}
