import type { Mark } from '@parquetry/charts'
import type { DataMaskEntry } from '@parquetry/model'

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
