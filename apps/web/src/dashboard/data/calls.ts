import { ApiError } from '@parquetry/client'
import { buildQueryContext, parseDatasource, namedQueries, loadStoredForm, type ChartForm } from '@parquetry/charts'
import { prefetchCharts } from '@parquetry/charts/views'
import {
  parseExactJson,
  encodeRison,
  type DashboardCopy,
  type DashboardDataset,
  type DashboardFile,
  type DashboardPermalink,
  type DashboardPictureRequest,
  type DashboardPut,
  type DashboardStreamHead,
  type DataMask,
} from '@parquetry/model'
import { api } from '../../shared/api.ts'
import { boot } from '../../shared/boot.ts'
import { framesType, readMessageStream } from '../../shared/message-stream.ts'
import { getTabId } from '../../shared/tab-id.ts'
import { readDashboard, type DashboardDocument } from '../document/read-dashboard.ts'
import type { OpenStream } from './chart-data-loader.ts'

type Described = Pick<
  DashboardDataset,
  'id' | 'uid' | 'table_name' | 'datasource_name' | 'main_dttm_col' | 'verbose_map'
>
type Column = DashboardDataset['columns'][number]
type Metric = DashboardDataset['metrics'][number]

/** Dataset with the fields that the page uses; columns and metrics are those of the charts. */
export interface LoadedDataset extends Pick<Described, 'id'>, Partial<Omit<Described, 'id'>> {
  columns?: (Pick<Column, 'column_name'> &
    Partial<Pick<Column, 'verbose_name' | 'type' | 'type_generic' | 'is_dttm' | 'filterable'>>)[]
  metrics?: (Pick<Metric, 'metric_name'> & Partial<Pick<Metric, 'verbose_name' | 'd3format'>>)[]
  [key: string]: unknown
}

export interface LoadedDashboard {
  dashboard: DashboardDocument
  datasets: LoadedDataset[]
}

/** @param idOrSlug id, slug or uuid */
export async function loadDashboard(idOrSlug: string, signal?: AbortSignal): Promise<LoadedDashboard> {
  const params = { id: idOrSlug }
  const chartsRequest = api.get('/api/v1/dashboard/:id/charts', { params, signal })
  chartsRequest
    .then(({ result }) => prefetchCharts(result.map(({ form_data }) => String(form_data['viz_type'] ?? ''))))
    .catch(() => undefined)
  const dashboardRequest = api.get('/api/v1/dashboard/:id', { params, signal })
  dashboardRequest
    .then(async ({ result }) => {
      if (result.position_json?.includes('"MARKDOWN"')) await import('@parquetry/ui/markdown/Markdown.tsx')
    })
    .catch(() => undefined)
  const [dashboard, charts, datasets] = await Promise.all([
    dashboardRequest,
    chartsRequest,
    api.get('/api/v1/dashboard/:id/datasets', { params, signal }),
  ])
  const read = readDashboard(dashboard.result, charts.result)
  return { dashboard: { ...read, flags: boot.common.feature_flags }, datasets: datasets.result }
}

/** Loads the same description that a dashboard with a chart of the dataset returns. */
export const loadDataset = async (id: number, signal: AbortSignal): Promise<LoadedDataset> => {
  const query = { datasource_id: id, datasource_type: 'table' }
  return (await api.get('/api/v1/explore/', { query, signal })).result.dataset
}

export const openStream = (id: number): OpenStream =>
  async function* (body, signal) {
    const response = await api.send('POST', '/api/v1/dashboard/:id/data', {
      params: { id },
      body,
      signal,
      accept: framesType,
    })
    for await (const { head, frame } of readMessageStream(response))
      yield { head: head as unknown as DashboardStreamHead, frame }
  }

/**
 * Opens a stream for one chart by its form, for charts that are not on the stored dashboard yet: the same messages over the
 * endpoint for one query context.
 */
export const openChartStream = (id: number, form: ChartForm): OpenStream =>
  async function* (_, signal) {
    const opened = await loadStoredForm(form, await loadDataset(Number(parseDatasource(form).id), signal))
    if (!opened) throw new ApiError(400, 'This visualization type is not supported.')
    const body = buildQueryContext(opened.chart, opened.form)
    const names = Object.keys(namedQueries(opened.chart, opened.form))
    const response = await api.send('POST', '/api/v1/chart/data', { body, signal, accept: framesType })
    for await (const message of readMessageStream(response)) {
      const head = message.head as unknown as DashboardStreamHead
      if (head.type === 'error') yield { head: { ...head, chart: id }, frame: null }
      else if (head.type === 'frame' && head.chart !== undefined) {
        yield { head: { ...head, chart: id, name: names[head.query] ?? head.name }, frame: message.frame }
      } else if (head.type === 'frame') yield { head, frame: message.frame }
    }
    yield { head: { type: 'end', chart: id }, frame: null }
    yield { head: { type: 'done' }, frame: null }
  }

/** Time of the last change, which conflict detection compares. */
export const fetchChangedOn = (id: number) =>
  api.get('/api/v1/dashboard/:id', { params: { id } }).then(({ result }) => result.changed_on)

export const saveDashboard = (id: number, body: DashboardPut) =>
  api.put('/api/v1/dashboard/:id', { params: { id }, body })

/**
 * Stores an image with the dashboard, from a file or a URL.
 * @throws ApiError
 */
export async function addImage(id: number, image: File | string, signal?: AbortSignal): Promise<DashboardFile> {
  const form = new FormData()
  if (typeof image !== 'string') form.append('file', image, image.name)
  const body = typeof image === 'string' ? { url: image } : form
  return (await api.post('/api/v1/dashboard/:id/files', { params: { id }, body, signal })).result
}

export const createDashboard = (body: { dashboard_title: string; json_metadata?: string }) =>
  api.post('/api/v1/dashboard/', { body })

export const removeDashboard = (id: number) => api.del('/api/v1/dashboard/:id', { params: { id } })

/**
 * Exports the dashboard under these filters as an image, document or workbook.
 * @throws ApiError
 */
export const fetchDashboardPicture = (id: number, body: DashboardPictureRequest): Promise<Response> =>
  api.send('POST', '/api/v1/dashboard/:id/picture', { params: { id }, body })

/** URL of the bundle with the dashboard and everything that it depends on. */
export const buildExportUrl = (id: number): string => `/api/v1/dashboard/export/?q=${encodeRison([id])}`

export const copyDashboard = (id: number, body: DashboardCopy) =>
  api.post('/api/v1/dashboard/:id/copy/', { params: { id }, body })

export const createPermalink = (id: number, body: DashboardPermalink) =>
  api.post('/api/v1/dashboard/:id/permalink', { params: { id }, body })

export const readPermalink = (key: string) => api.get('/api/v1/dashboard/permalink/:key', { params: { key } })

let filterSaves: Promise<unknown> = Promise.resolve()

/** Stores filters after the earlier calls of this page are done, so that no older state reaches the server last. */
export function enqueueFilterSave<T>(save: () => Promise<T>): Promise<T> {
  const saved = filterSaves.then(save)
  filterSaves = saved.catch(() => undefined)
  return saved
}

/**
 * Stores the filters with one entry per browser tab: the same tab overwrites its own.
 * @param keepalive  completes the request even if the page unloads
 */
export async function saveFilterState(
  id: number,
  key: string | null,
  mask: DataMask,
  keepalive: boolean,
): Promise<string> {
  const body = { value: JSON.stringify(mask) }
  const query = { tab_id: getTabId() }
  const answer = key
    ? await api.put('/api/v1/dashboard/:id/filter_state/:key', { params: { id, key }, body, query, keepalive })
    : await api.post('/api/v1/dashboard/:id/filter_state', { params: { id }, body, query, keepalive })
  return answer.key
}

/** Reads stored filters, once this page has stored its own; null if they are not a data mask. */
export async function readFilterState(id: number | string, key: string): Promise<DataMask | null> {
  await filterSaves
  const { value } = await api.get('/api/v1/dashboard/:id/filter_state/:key', { params: { id, key } })
  try {
    const mask: unknown = parseExactJson(value)
    return typeof mask === 'object' && mask !== null && !Array.isArray(mask) ? (mask as DataMask) : null
  } catch {
    return null
  }
}

export const favoriteStatus = (id: number, signal?: AbortSignal) =>
  api
    .get('/api/v1/dashboard/favorite_status/', { q: [id], signal })
    .then(({ result }) => result.find((entry) => entry.id === id)?.value ?? false)

export const setFavorite = (id: number, on: boolean) =>
  on
    ? api.post('/api/v1/dashboard/:id/favorites/', { params: { id } })
    : api.del('/api/v1/dashboard/:id/favorites/', { params: { id } })
