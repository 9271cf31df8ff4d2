import { withFilters, type ChartForm } from '@parquetry/charts'
import {
  listFilteredCharts,
  collectExtraFormData,
  readNativeFilters,
  applyFilterFlags,
  type DataMask,
  type FilteredDashboard,
  type NativeFilter,
} from '@parquetry/model'
import type { RequestedChart } from '../data/chart-data-loader.ts'
import type { ChartRecord, DashboardDocument, Metadata } from '../document/read-dashboard.ts'
import { hasValue, isRequired } from '../filters/mask.ts'

/** Request for a chart, and a key that changes when it must be sent again. */
export interface ChartRequest {
  chart: RequestedChart
  key: string
}

const schemeKeys = ['color_scheme', 'color_namespace', 'label_colors', 'shared_label_colors'] as const

/** Form of a chart on the dashboard: with its filters, and its colors in place of the chart's own. */
export function buildDashboardForm(
  form: ChartForm,
  chartId: number,
  dashboard: FilteredDashboard & { id: number },
  mask: DataMask,
): ChartForm {
  const filtered = withFilters(
    { ...form, slice_id: chartId, dashboardId: dashboard.id },
    collectExtraFormData(dashboard, mask, chartId),
  )
  return { ...filtered, ...colorsOf(dashboard.metadata) }
}

/** Color settings of the dashboard; they affect how a chart is drawn, never its query. */
export function colorsOf(metadata: Metadata): ChartForm {
  const set = schemeKeys.filter((key) => {
    const value = metadata[key]
    return value !== undefined && value !== null && value !== '' && Object.keys(Object(value)).length > 0
  })
  return Object.fromEntries(set.map((key) => [key, metadata[key]]))
}

export function buildChartRequest(
  chart: ChartRecord,
  dashboard: FilteredDashboard & { id: number },
  mask: DataMask,
  { state, round }: { state?: Record<string, unknown> | undefined; round: string },
): ChartRequest {
  const form = buildDashboardForm(chart.form_data, chart.id, dashboard, mask)
  const requestedChart: RequestedChart = {
    id: chart.id,
    form,
    ...(state && { state }),
  }
  return {
    chart: requestedChart,
    key: JSON.stringify([form.extra_form_data ?? null, chart.changed_on ?? null, state ?? null, round]),
  }
}

/** Required filters without a value that reach the chart; the chart waits for them and shows their names. */
export const findBlockingFilters = (dashboard: FilteredDashboard, mask: DataMask, chartId: number): NativeFilter[] =>
  readNativeFilters(dashboard).filter(
    (filter) =>
      isRequired(filter) && !hasValue(mask[filter.id]) && listFilteredCharts(dashboard, filter.id).includes(chartId),
  )

/** True if a chart waits for the first value of a filter that reaches it. */
export const isAwaitingFirstValue = (
  dashboard: FilteredDashboard,
  awaited: readonly string[],
  chartId: number,
): boolean => awaited.some((id) => listFilteredCharts(dashboard, id).includes(chartId))

export const toFilteredDashboard = (
  { result, metadata, flags = {} }: DashboardDocument,
  nodes: FilteredDashboard['nodes'],
): FilteredDashboard & { id: number } => ({ id: result.id, metadata: applyFilterFlags(metadata, flags), nodes })
