import type { AnnotationLayer } from '@parquetry/model'
import type { ChartForm } from '../define.ts'
import { listRequestedLayers } from '../query/requested-layers.ts'
import { readExtras } from '../query/extra-form-data.ts'

export interface ReferencedChart {
  id: number
  /** 1 is the axis at the right. */
  axis: 0 | 1
}

/** The charts that a form names, those at the left first; one named twice is drawn twice. */
export const listReferencedCharts = ({ line_charts, line_charts_2 }: ChartForm): ReferencedChart[] =>
  ([line_charts, line_charts_2] as unknown[]).flatMap((ids, axis) =>
    (Array.isArray(ids) ? (ids as unknown[]) : []).flatMap((id) =>
      Number.isSafeInteger(id) ? [{ id: id as number, axis: axis as 0 | 1 }] : [],
    ),
  )

/** Of the layer that holds a chart's lines; what is said of one that failed begins with it. */
export const layerName = (id: number): string => `#${id}`

const isTime = (filter: unknown) => (filter as { operator?: string } | null)?.operator === 'TEMPORAL_RANGE'
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** The charts as layers that the server reads: under the time and the filters of this one. */
export function buildLineLayers(form: ChartForm): AnnotationLayer[] {
  const { extra } = readExtras(form)
  const adhoc_filters = [...asList(form.adhoc_filters), ...asList(extra.adhoc_filters)].filter((one) => !isTime(one))
  const filters = asList(extra.filters)
  const overrides = {
    time_range: null,
    ...(adhoc_filters.length > 0 && { adhoc_filters }),
    ...(filters.length > 0 && { filters }),
  }
  const layers = [...new Set(listReferencedCharts(form).map(({ id }) => id))].map((id) => ({
    name: layerName(id),
    annotationType: 'TIME_SERIES',
    sourceType: 'line',
    value: id,
    overrides,
  }))
  return listRequestedLayers({ ...form, annotation_layers: layers })
}
