import { colorScale, type ChartForm, type ColorScale } from '@parquetry/charts'
import type { DatasetResult } from '../data/calls.ts'
import type { Metadata } from '../document/read-dashboard.ts'

const colorsOf = (value: unknown): Record<string, string> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, string>) : {}

/**
 * Colours of a dashboard's charts. Charts that part their rows by the same columns share one scale, so that a label has one
 * colour in all of them; each such family starts at the front of the scheme, as its charts do in Explore, whichever comes first.
 */
export function dashboardColors(metadata: Metadata): (form: ChartForm) => ColorScale {
  const pinned = { ...colorsOf(metadata.shared_label_colors), ...colorsOf(metadata.label_colors) }
  const own = typeof metadata.color_scheme === 'string' && metadata.color_scheme ? metadata.color_scheme : undefined
  const scales = new Map<string, ColorScale>()
  return (form) => {
    const scheme = own ?? (typeof form.color_scheme === 'string' && form.color_scheme ? form.color_scheme : undefined)
    const family = JSON.stringify([scheme, form.datasource, ...partedBy(form)])
    const scale = scales.get(family) ?? colorScale(scheme, pinned)
    scales.set(family, scale)
    return scale
  }
}

/** What a chart's labels come from: values of its dimensions, else the names of its metrics. */
function partedBy({ groupby, series, metrics, metric }: ChartForm): [kind: string, what: unknown] {
  const dimensions = [groupby, series].flat().filter((each) => each !== undefined && each !== null && each !== '')
  return dimensions.length > 0 ? ['dimensions', dimensions] : ['metrics', metrics ?? metric]
}

export const datasetOfForm = (form: ChartForm, datasets: readonly DatasetResult[]): DatasetResult | undefined =>
  datasets.find(({ id, uid }) => (uid ?? `${id}__table`) === form.datasource)
