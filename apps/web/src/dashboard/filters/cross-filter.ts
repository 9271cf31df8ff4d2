import type { Mark } from '@parquetry/charts'
import type { DataMaskEntry } from '@parquetry/model'

/** NATF-025: how a filter of one chart's column is named. */
export const crossFilterKey = (chartId: number, column: string): string => `${chartId}_${column}`

/** NATF-026. @throws Error `Cannot parse invalid filter key` for what `crossFilterKey` cannot have made */
export function parseCrossFilterKey(key: string): { chartId: number; column: string } {
  const [, chartId, column] = /^(\d+)_(.+)$/s.exec(key) ?? []
  if (chartId === undefined || column === undefined) throw new Error('Cannot parse invalid filter key')
  return { chartId: Number(chartId), column }
}

export const noCrossFilter: DataMaskEntry = { extraFormData: {}, filterState: { value: null }, ownState: {} }

type Clicked = Pick<Mark, 'filters' | 'key' | 'label'>

/** The entry that a click on a mark makes; a second click on the same mark takes it back. */
export function crossFilterEntry(current: DataMaskEntry | undefined, { filters, key, label }: Clicked): DataMaskEntry {
  const isSame = JSON.stringify(selectedOf(current)) === JSON.stringify(key)
  if (isSame || filters.length === 0) return noCrossFilter
  return {
    extraFormData: { filters },
    filterState: { value: Object.values(key), label, selected: key },
    ownState: {},
  }
}

/** The mark that a chart filters others by, as `selected` of its host; undefined when it filters none. */
export const selectedOf = (entry: DataMaskEntry | undefined): Mark['key'] | undefined =>
  entry?.filterState?.selected as Mark['key'] | undefined
