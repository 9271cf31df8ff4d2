import {
  resolveColorScale,
  type ChartForm,
  type ColorScale,
  type ColorScaleOptions,
  type LabelSlots,
} from '@parquetry/charts'
import type { LoadedDataset } from '../data/calls.ts'
import type { Metadata } from '../document/read-dashboard.ts'

/**
 * Color scales of a dashboard's charts: one per scheme, which stays the same function until the dashboard's colors change.
 * @param shown labels of all charts with their colors, so that a filter does not change them
 */
export function dashboardColors(
  metadata: Metadata,
  { shown = {}, isAnalogous }: ColorScaleOptions = {},
): (form: ChartForm) => ColorScale {
  const scales = new Map<unknown, ColorScale>()
  return (form) => {
    const scale = scales.get(form.color_scheme) ?? resolveColorScale(form, metadata, { shown, isAnalogous })
    scales.set(form.color_scheme, scale)
    return scale
  }
}

const storageKey = (dashboardId: number): string => `parquetry.colors.${dashboardId}`

/** Reads the colors that this tab has shown: a reload keeps the filters, so other labels may be left. */
export function readShownColors(dashboardId: number): LabelSlots {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey(dashboardId)) ?? '{}') as LabelSlots
  } catch {
    return {}
  }
}

/** More labels than this are not remembered; they have no colors of their own anyway. */
const maxRemembered = 2000

export function storeShownColors(dashboardId: number, shown: LabelSlots): void {
  const count = Object.values(shown).reduce((sum, slots) => sum + Object.keys(slots).length, 0)
  try {
    if (count <= maxRemembered) sessionStorage.setItem(storageKey(dashboardId), JSON.stringify(shown))
  } catch {
    // The storage is full; a reload may then show other colors.
  }
}

export const datasetOfForm = (form: ChartForm, datasets: readonly LoadedDataset[]): LoadedDataset | undefined =>
  datasets.find(({ id, uid }) => (uid ?? `${id}__table`) === form.datasource)
