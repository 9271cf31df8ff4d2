import { loadStoredForm, withFilters } from '@parquetry/charts'
import { maxBodyBytes } from '@parquetry/engines/channel'
import { splitMessages } from '@parquetry/frame/wire'
import {
  AppError,
  chartNameOverrides,
  collectExtraFormData,
  message,
  readNativeFilters,
  type DashboardPictureRequest,
  type DataMask,
  type FilteredDashboard,
  type ImageType,
  type Picture,
  type PictureChart,
  type PictureLayout,
  type PictureOutput,
  toPlainText,
} from '@parquetry/model'
import { buildFormData } from '../chart/form-data.ts'
import type { ChartDeps } from '../chart/deps.ts'
import type { SavedChart } from '../chart/saved-chart-query.ts'
import { buildDefaultMask, listVisibleCharts } from '../dashboard/prefetch-dashboard.ts'
import { loadDashboardCharts, type StoredDashboard, toFilteredDashboard } from '../chart/stored-dashboard.ts'
import { dashboardStream } from '../dashboard/data-stream.ts'
import { findDashboardFile, listDashboardFiles, findFileHashes } from '../dashboard/files.ts'
import { mapPluginNames } from '../dynamic-plugin/plugins.ts'
import { buildDatasetDisplay } from '../dataset/dataset-object.ts'
import { readDataset } from '../dataset/stored-dataset.ts'
import { chartErrorMessage, tooMuchData, type DrawingInput, type PictureContext } from './chart-picture.ts'
import { choosePictureTheme } from './paper-theme.ts'
import { resolveReaderSettings } from './reader-settings.ts'

/** A request for the image of a dashboard, or for a file with its numbers. `width` is that of an image without pages. */
export type DashboardDrawingRequest = Omit<DashboardPictureRequest, 'format'> & {
  format: PictureOutput
  width?: number | undefined
}

/**
 * Prepares the image of a dashboard from its layout, with the filters of the request or else their defaults. A chart whose query
 * fails shows the error in its place.
 * @throws AppError `result_too_large`
 */
export async function buildDashboardPicture(
  dashboard: StoredDashboard,
  request: DashboardDrawingRequest,
  { deps, principal, signal, force = false, showsErrors = false }: PictureContext,
): Promise<DrawingInput> {
  const charts = await loadDashboardCharts(dashboard, deps)
  const filtered = toFilteredDashboard(dashboard, charts.keys(), deps.settings.flags)
  const data_mask = request.data_mask ?? buildDefaultMask(filtered)
  const visibleCharts = listVisibleCharts(filtered, request.tabs).flatMap((id) => charts.get(id) ?? [])
  const dataRequest = { charts: visibleCharts.map(({ id }) => ({ id })), data_mask, force }
  const messages: Uint8Array[] = []
  let bytes = 0
  for await (const part of dashboardStream(dashboard, dataRequest, { deps, principal, signal, canEdit: false })) {
    if (bytes + part.length > maxBodyBytes) {
      if (!showsErrors) throw dashboardTooLarge()
      messages.push(...listCharts(part).map((chart) => chartErrorMessage(chart, tooMuchData(), deps)))
      continue
    }
    messages.push(part)
    bytes += part.length
  }
  signal.throwIfAborted()
  const picture: Picture = {
    ...resolveReaderSettings(deps.settings, request.time_zone),
    format: request.format,
    ...(await choosePictureTheme(deps, dashboard.theme_id, request)),
    title: dashboard.dashboard_title ?? `#${dashboard.id}`,
    at: deps.now().getTime(),
    charts: await buildPictureCharts(visibleCharts, filtered, data_mask, deps),
    page: {
      nodes: filtered.nodes,
      tabs: request.tabs ?? null,
      ...(request.width !== undefined && { width: request.width }),
      ...(request.orientation && { orientation: request.orientation }),
      filters: describeFilters(filtered, data_mask, charts),
      images: isTables(request.format) ? {} : await loadImages(dashboard, deps),
    },
    metadata: filtered.metadata,
  }
  return { picture, messages: Buffer.concat(messages) }
}

const isTables = (format: PictureOutput): boolean => ['xlsx', 'csv', 'text'].includes(format)

const dashboardTooLarge = (): AppError =>
  new AppError('result_too_large', {
    message: message(
      'errors.picture.tooMuchData',
      'The data of this dashboard is too large for one file. Lower the row limits of its charts.',
    ),
  })

/** Ids of the charts with results in messages. */
const listCharts = (messages: Uint8Array): number[] => [
  ...new Set(splitMessages(messages).flatMap(({ head }) => (typeof head['chart'] === 'number' ? [head['chart']] : []))),
]

/**
 * Image types that can be drawn without a browser. Other images, and those beyond the limits of bytes and pixels, appear as text.
 */
const drawable: readonly ImageType[] = ['image/png', 'image/jpeg', 'image/gif', 'image/svg+xml']
const maxImageBytes = 12 << 20
const maxPixels = 16_000_000

async function loadImages(dashboard: StoredDashboard, { db }: ChartDeps): Promise<PictureLayout['images']> {
  const referenced = findFileHashes(dashboard)
  const images: PictureLayout['images'] = {}
  let bytes = 0
  for (const { hash, media_type, width, height, size } of referenced.size > 0
    ? await listDashboardFiles(db, dashboard.id)
    : []) {
    const isDrawable = drawable.includes(media_type) && (width ?? 0) * (height ?? 0) <= maxPixels
    if (!referenced.has(hash) || !isDrawable || bytes + size > maxImageBytes) continue
    const file = await findDashboardFile(db, dashboard.id, hash)
    if (!file) continue
    bytes += size
    images[hash] = { media_type, base64: file.bytes.toString('base64'), width, height }
  }
  return images
}

async function buildPictureCharts(
  charts: readonly SavedChart[],
  filtered: FilteredDashboard,
  mask: DataMask,
  { db, settings }: ChartDeps,
): Promise<PictureChart[]> {
  const plugins = await mapPluginNames(db, settings.flags)
  const ids = [...new Set(charts.map(({ datasource_id }) => datasource_id))]
  const names = chartNameOverrides(filtered.nodes)
  const stored = await Promise.all(ids.map((id) => readDataset(db, id)))
  const displays = new Map(
    stored.flatMap((dataset) => (dataset ? [[dataset.row.id, buildDatasetDisplay(dataset)] as const] : [])),
  )
  return Promise.all(
    charts.map(async (chart) => {
      const form = buildFormData(chart)
      const display = displays.get(chart.datasource_id)
      const storedForm = await loadStoredForm(form, display)
      const extras = collectExtraFormData(filtered, mask, chart.id)
      const plugin = plugins.get(chart.viz_type ?? '')
      return {
        id: chart.id,
        viz_type: storedForm?.chart.viz_type ?? chart.viz_type ?? '',
        form: storedForm ? withFilters(storedForm.form, extras) : form,
        title: names.get(chart.id) ?? chart.slice_name ?? `#${chart.id}`,
        ...(plugin !== undefined && { plugin }),
        dataset: display ?? {},
      }
    }),
  )
}

/** Active filters with their values, and cross-filters with the clicked values. */
function describeFilters(
  filtered: FilteredDashboard,
  mask: DataMask,
  charts: ReadonlyMap<number, SavedChart>,
): { name: string; value: string }[] {
  const names = new Map(readNativeFilters(filtered).map(({ id, name = '' }) => [id, name]))
  const overrides = chartNameOverrides(filtered.nodes)
  return Object.entries(mask).flatMap(([id, { extraFormData = {}, filterState = {} }]) => {
    const name = names.get(id) ?? overrides.get(Number(id)) ?? charts.get(Number(id))?.slice_name
    if (name == null || Object.keys(extraFormData).length === 0) return []
    return [{ name, value: formatFilterValue(filterState['label'] ?? filterState['value'] ?? extraFormData) }]
  })
}

const formatFilterValue = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(formatFilterValue).join(', ')
  if (value === null || value === undefined) return '∅'
  return toPlainText(value)
}
