import { resolveColorScale, type ChartForm, type ColorScale } from '@parquetry/charts'
import type { LoadedDataset } from '../data/calls.ts'
import type { Metadata } from '../document/read-dashboard.ts'

/** Colours of a dashboard's charts: one scale for each scheme among them, the same function as long as the dashboard's colours are. */
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
