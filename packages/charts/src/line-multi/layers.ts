import type { AnnotationLayer } from '@parquetry/model'
import type { ChartForm } from '../define.ts'
import { listRequestedLayers } from '../query/requested-layers.ts'
import { readExtras } from '../query/extra-form-data.ts'

export interface ReferencedChart {
  id: number
  /** 1 is the right axis. */
  axis: 0 | 1
}

/** Charts that a form names, left axis first; one named twice is drawn twice. */
export const listReferencedCharts = ({ line_charts, line_charts_2 }: ChartForm): ReferencedChart[] =>
  ([line_charts, line_charts_2] as unknown[]).flatMap((ids, axis) =>
    (Array.isArray(ids) ? (ids as unknown[]) : []).flatMap((id) =>
      Number.isSafeInteger(id) ? [{ id: id as number, axis: axis as 0 | 1 }] : [],
    ),
  )

/** Name of the layer with a chart's lines; messages about a failed chart begin with it. */
export const layerName = (id: number): string => `#${id}`

const isTime = (filter: unknown) => (filter as { operator?: string } | null)?.operator === 'TEMPORAL_RANGE'
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Returns the charts as layers for the server, under the time range and filters of this chart. */
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
