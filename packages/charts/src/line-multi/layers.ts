import type { AnnotationLayer } from '@parquetry/model'
import type { ChartForm } from '../define.ts'
import { askedLayers } from '../query/asked-layers.ts'
import { extrasOf } from '../query/extra-form-data.ts'

export interface NamedChart {
  id: number
  /** 1 is the axis at the right. */
  axis: 0 | 1
}

/** The charts that a form names, those at the left first; one named twice is drawn twice. */
export const namedCharts = ({ line_charts, line_charts_2 }: ChartForm): NamedChart[] =>
  ([line_charts, line_charts_2] as unknown[]).flatMap((ids, axis) =>
    (Array.isArray(ids) ? (ids as unknown[]) : []).flatMap((id) =>
      Number.isSafeInteger(id) ? [{ id: id as number, axis: axis as 0 | 1 }] : [],
    ),
  )

/** Of the layer that holds a chart's lines; what is said of one that failed begins with it. */
export const layerName = (id: number): string => `#${id}`

const isTime = (filter: unknown) => (filter as { operator?: string } | null)?.operator === 'TEMPORAL_RANGE'
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** The charts as layers that the server reads: under the time and the filters of this one. */
export function askedCharts(form: ChartForm): AnnotationLayer[] {
  const { extra } = extrasOf(form)
  const adhoc_filters = [...listOf(form.adhoc_filters), ...listOf(extra.adhoc_filters)].filter((one) => !isTime(one))
  const filters = listOf(extra.filters)
  const overrides = {
    time_range: null,
    ...(adhoc_filters.length > 0 && { adhoc_filters }),
    ...(filters.length > 0 && { filters }),
  }
  const layers = [...new Set(namedCharts(form).map(({ id }) => id))].map((id) => ({
    name: layerName(id),
    annotationType: 'TIME_SERIES',
    sourceType: 'line',
    value: id,
    overrides,
  }))
  return askedLayers({ ...form, annotation_layers: layers })
}
