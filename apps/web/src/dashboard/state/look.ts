import { colorScale, type ChartForm, type ColorScale } from '@parquetry/charts'
import type { DatasetResult } from '../data/calls.ts'
import type { Metadata } from '../document/read-dashboard.ts'

const colorsOf = (value: unknown): Record<string, string> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, string>) : {}

/** One scale for all charts of a dashboard, so that a label has one colour everywhere; made anew when its settings change. */
export function dashboardColors(metadata: Metadata): (form: ChartForm) => ColorScale {
  const pinned = { ...colorsOf(metadata.shared_label_colors), ...colorsOf(metadata.label_colors) }
  const own = typeof metadata.color_scheme === 'string' && metadata.color_scheme ? metadata.color_scheme : undefined
  const scales = new Map<string, ColorScale>()
  return (form) => {
    const scheme = own ?? (typeof form.color_scheme === 'string' ? form.color_scheme : '')
    const scale = scales.get(scheme) ?? colorScale(scheme || undefined, pinned)
    scales.set(scheme, scale)
    return scale
  }
}

export const datasetOfForm = (form: ChartForm, datasets: readonly DatasetResult[]): DatasetResult | undefined =>
  datasets.find(({ id, uid }) => (uid ?? `${id}__table`) === form.datasource)
