import type { AnnotationLayer } from '@parquetry/model'
import type { ChartForm } from '../define.ts'
import { isShown, readAnnotationLayers } from '../shared/annotations/layers.ts'
import { nameOfColumn } from '../shared/controls.ts'

/**
 * Returns the layers to request from the server without their appearance, so that styling does not change the query. An override
 * without a value uses the current value of the chart.
 * @param form  with a dashboard's time instead of its own (`applyDashboardOverrides`)
 */
export const listRequestedLayers = (form: ChartForm): AnnotationLayer[] =>
  readAnnotationLayers(form.annotation_layers)
    .filter((layer) => isShown(layer) && layer.annotationType !== 'FORMULA')
    .map(({ name, annotationType, sourceType, value, overrides }) => ({
      name,
      annotationType,
      sourceType: sourceType ?? '',
      value,
      show: true,
      showMarkers: false,
      ...(overrides && { overrides: withCurrentTime(overrides, form) }),
    }))

const withCurrentTime = (overrides: Record<string, unknown>, form: ChartForm): Record<string, unknown> => {
  const current: Record<string, unknown> = { time_range: findTimeRange(form), time_grain_sqla: form.time_grain_sqla }
  // Older forms store the two ends of the range instead.
  const isOld = 'since' in overrides || 'until' in overrides
  return Object.fromEntries(
    Object.entries(isOld ? { ...overrides, time_range: null } : overrides).map(([name, value]) => [
      name,
      value ?? (name in current ? current[name] : value) ?? null,
    ]),
  )
}

/**
 * Returns the range of the form, which already includes a dashboard's; otherwise that of a filter, as the server reads a query.
 */
function findTimeRange(form: ChartForm): unknown {
  const filters = (Array.isArray(form.adhoc_filters) ? form.adhoc_filters : []) as {
    subject?: unknown
    operator?: unknown
    comparator?: unknown
  }[]
  const ranges = filters.filter((filter) => filter?.operator === 'TEMPORAL_RANGE')
  const x = nameOfColumn(form.x_axis)
  const filter = ranges.find(({ subject }) => subject === x) ?? ranges[0]
  return form.time_range || filter?.comparator
}
