import { buildQueryContext, datasourceOf, namedQueries, openForm, type ChartForm } from '@parquetry/charts'
import { prepareCharts } from '@parquetry/charts/views'
import type { DashboardCopy, DashboardPermalink, DashboardPut, DashboardStreamHead, DataMask } from '@parquetry/model'
import { api, send } from '../../shared/api.ts'
import { ApiError } from '../../shared/errors.ts'
import { framesType, messagesOf } from '../../shared/message-stream.ts'
import { readDashboard, type ChartResult, type Dashboard, type DashboardResult } from '../document/read-dashboard.ts'
import type { OpenStream } from './ask-charts.ts'

/** Every call of a dashboard's page. */
const path = (name: string | number, rest = '') => `/api/v1/dashboard/${encodeURIComponent(name)}${rest}`

/** The dataset object, cut to what the page uses; columns and metrics are those of the charts. */
export interface DatasetResult {
  id: number
  uid?: string
  table_name?: string
  datasource_name?: string
  main_dttm_col?: string | null
  columns?: {
    column_name: string
    verbose_name?: string | null
    type?: string | null
    type_generic?: number | null
    is_dttm?: boolean
    filterable?: boolean
  }[]
  metrics?: { metric_name: string; verbose_name?: string | null; d3format?: string | null }[]
  verbose_map?: Record<string, string>
  [key: string]: unknown
}

export interface LoadedDashboard {
  dashboard: Dashboard
  datasets: DatasetResult[]
}

/** @param name id, uuid or slug */
export async function loadDashboard(name: string, signal?: AbortSignal): Promise<LoadedDashboard> {
  const asked = api.get<{ result: ChartResult[] }>(path(name, '/charts'), { signal })
  asked
    .then(({ result }) => prepareCharts(result.map(({ form_data }) => String(form_data['viz_type'] ?? ''))))
    .catch(() => undefined)
  const [dashboard, charts, datasets] = await Promise.all([
    api.get<{ result: DashboardResult }>(path(name), { signal }),
    asked,
    api.get<{ result: DatasetResult[] }>(path(name, '/datasets'), { signal }),
  ])
  return { dashboard: readDashboard(dashboard.result, charts.result), datasets: datasets.result }
}

/** The same description as on a dashboard that has a chart of it. */
export const loadDataset = async (id: number, signal: AbortSignal): Promise<DatasetResult> => {
  const query = { datasource_id: id, datasource_type: 'table' }
  return (await api.get<{ result: { dataset: DatasetResult } }>('/api/v1/explore/', { query, signal })).result.dataset
}

export const openStream = (id: number): OpenStream =>
  async function* (body, signal) {
    const response = await send('POST', path(id, '/data'), { body, signal, accept: framesType })
    for await (const { head, frame } of messagesOf(response))
      yield { head: head as unknown as DashboardStreamHead, frame }
  }

/**
 * One chart by its form alone, for those that are not on the stored dashboard yet: the same messages over the call that asks
 * one query context.
 */
export const openChart = (id: number, form: ChartForm): OpenStream =>
  async function* (_, signal) {
    const opened = await openForm(form, await loadDataset(Number(datasourceOf(form).id), signal))
    if (!opened) throw new ApiError(400, 'This visualization type is not supported.')
    const body = buildQueryContext(opened.chart, opened.form)
    const names = Object.keys(namedQueries(opened.chart, opened.form))
    const response = await send('POST', '/api/v1/chart/data', { body, signal, accept: framesType })
    for await (const message of messagesOf(response)) {
      const head = message.head as unknown as DashboardStreamHead
      if (head.type === 'error') yield { head: { ...head, chart: id }, frame: null }
      else if (head.type === 'frame' && head.chart !== undefined) {
        yield { head: { ...head, chart: id, name: names[head.query] ?? head.name }, frame: message.frame }
      } else if (head.type === 'frame') yield { head, frame: message.frame }
    }
    yield { head: { type: 'end', chart: id }, frame: null }
    yield { head: { type: 'done' }, frame: null }
  }

/** When it was last changed, as conflicts are found by. */
export const changedOn = (id: number) =>
  api.get<{ result: DashboardResult }>(path(id)).then(({ result }) => result.changed_on ?? null)

export const saveDashboard = (id: number, body: DashboardPut) =>
  api.put<{ id: number; result: DashboardPut; last_modified_time: number }>(path(id), { body })

export const createDashboard = (body: { dashboard_title: string; json_metadata?: string }) =>
  api.post<{ id: number }>('/api/v1/dashboard/', { body })

export const copyDashboard = (id: number, body: DashboardCopy) =>
  api.post<{ result: { id: number; last_modified_time: number } }>(path(id, '/copy/'), { body })

export const createPermalink = (id: number, body: DashboardPermalink) =>
  api.post<{ key: string; url: string }>(path(id, '/permalink'), { body })

export interface PermalinkState {
  dataMask?: DataMask | null
  activeTabs?: string[] | null
  urlParams?: [string, string][] | null
  anchor?: string | null
}

export const readPermalink = (key: string) =>
  api.get<{ dashboardId: string; state: PermalinkState }>(`/api/v1/dashboard/permalink/${encodeURIComponent(key)}`)

/** Kept per tab of the browser: the same tab writes over its own entry. */
export async function keepFilterState(id: number, key: string | null, tabId: string, mask: DataMask): Promise<string> {
  const body = { value: JSON.stringify(mask) }
  const query = { tab_id: tabId }
  const answer = key
    ? await api.put<{ key: string }>(path(id, `/filter_state/${encodeURIComponent(key)}`), { body, query })
    : await api.post<{ key: string }>(path(id, '/filter_state'), { body, query })
  return answer.key
}

export async function readFilterState(id: number | string, key: string): Promise<DataMask | null> {
  const { value } = await api.get<{ value: string }>(path(id, `/filter_state/${encodeURIComponent(key)}`))
  try {
    const mask: unknown = JSON.parse(value)
    return typeof mask === 'object' && mask !== null && !Array.isArray(mask) ? (mask as DataMask) : null
  } catch {
    return null
  }
}

export const favoriteStatus = (id: number, signal?: AbortSignal) =>
  api
    .get<{ result: { id: number; value: boolean }[] }>('/api/v1/dashboard/favorite_status/', { q: [id], signal })
    .then(({ result }) => result.find((entry) => entry.id === id)?.value ?? false)

export const setFavorite = (id: number, on: boolean) =>
  on ? api.post<unknown>(path(id, '/favorites/')) : api.del<unknown>(path(id, '/favorites/'))
