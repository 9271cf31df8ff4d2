import type { ChartPictureRequest, PictureFormat } from '@parquetry/model'
import { api } from './api.ts'

/** Fields of every image request: format, and the viewer's theme and time zone. */
export interface PictureOptions {
  format: PictureFormat
  theme: 'light' | 'dark'
  time_zone: string
}

type Chart = Omit<ChartPictureRequest, keyof PictureOptions>

/** Renders the image of a chart from its form, saved or not. @throws ApiError */
export const fetchChartPicture = (options: PictureOptions, chart: Chart): Promise<Response> =>
  api.send('POST', '/api/v1/chart/picture', { body: { ...options, ...chart } })

/** Renders the image from the cached result, without querying a database; null when nothing is cached. @throws ApiError */
export async function fetchCachedPicture(
  options: PictureOptions,
  chart: Chart,
  signal: AbortSignal,
): Promise<Blob | null> {
  const body = { ...options, ...chart }
  const response = await api.send('POST', '/api/v1/chart/picture', { body, onlyCached: true, quiet: true, signal })
  return response.status === 204 ? null : response.blob()
}
