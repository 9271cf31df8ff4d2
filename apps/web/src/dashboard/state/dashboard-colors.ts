import { resolveColorScale, type ChartForm, type ColorScale } from '@parquetry/charts'
import type { LoadedDataset } from '../data/calls.ts'
import type { Metadata } from '../document/read-dashboard.ts'

/** Color scales of a dashboard's charts: one per scheme, which stays the same function until the dashboard's colors change. */
export function dashboardColors(metadata: Metadata): (form: ChartForm) => ColorScale {
  const scales = new Map<unknown, ColorScale>()
  return (form) => {
    const scale = scales.get(form.color_scheme) ?? resolveColorScale(form, metadata)
    scales.set(form.color_scheme, scale)
    return scale
  }
}

export const datasetOfForm = (form: ChartForm, datasets: readonly LoadedDataset[]): LoadedDataset | undefined =>
  datasets.find(({ id, uid }) => (uid ?? `${id}__table`) === form.datasource)
