import type { AnnotationLayer } from '@parquetry/model'
import type { ChartForm } from '../define.ts'
import { isShown, readAnnotationLayers } from '../shared/annotations/layers.ts'
import { nameOfColumn } from '../shared/controls.ts'

/**
 * The layers that the server is asked for, without what only draws them, so that a change of their look asks nothing. An override
 * without a value of its own takes that of the chart as it is seen.
 * @param form  with a dashboard's time in place of its own (`underDashboard`)
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
  // Older forms name the two ends of the range that is taken.
  const isOld = 'since' in overrides || 'until' in overrides
  return Object.fromEntries(
    Object.entries(isOld ? { ...overrides, time_range: null } : overrides).map(([name, value]) => [
      name,
      value ?? (name in current ? current[name] : value) ?? null,
    ]),
  )
}

/** The range of the form, which is a dashboard's where it has one; else that of a filter, as the server reads a query. */
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
