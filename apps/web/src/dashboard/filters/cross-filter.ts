import type { DataMaskEntry } from '@parquetry/model'
import { labelOfValue, type FilterValue } from './mask.ts'

/** NATF-025: how a filter of one chart's column is named. */
export const crossFilterKey = (chartId: number, column: string): string => `${chartId}_${column}`

/** NATF-026. @throws Error `Cannot parse invalid filter key` for what `crossFilterKey` cannot have made */
export function parseCrossFilterKey(key: string): { chartId: number; column: string } {
  const [, chartId, column] = /^(\d+)_(.+)$/s.exec(key) ?? []
  if (chartId === undefined || column === undefined) throw new Error('Cannot parse invalid filter key')
  return { chartId: Number(chartId), column }
}

/** The entry that a click on a mark makes: each dimension of the mark equals its value. `key` empty clears it. */
export function crossFilterEntry(key: Readonly<Record<string, FilterValue>>): DataMaskEntry {
  const dimensions = Object.entries(key)
  if (dimensions.length === 0) return { extraFormData: {}, filterState: { value: null }, ownState: {} }
  return {
    extraFormData: {
      filters: dimensions.map(([col, value]) =>
        value === null ? { col, op: 'IS NULL' } : { col, op: 'IN', val: [value] },
      ),
    },
    filterState: {
      value: dimensions.map(([, value]) => value),
      label: dimensions.map(([, value]) => labelOfValue(value)).join(', '),
      filters: key,
      selectedValues: dimensions.map(([, value]) => value),
    },
    ownState: {},
  }
}

/** A second click on the same mark takes the filter back. */
export const togglesOff = (current: DataMaskEntry | undefined, key: Readonly<Record<string, FilterValue>>): boolean =>
  JSON.stringify(current?.filterState?.filters ?? null) === JSON.stringify(key)
