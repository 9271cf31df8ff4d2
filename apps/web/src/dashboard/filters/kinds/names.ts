import type { DataMaskEntry, NativeFilter } from '@parquetry/model'
import { emptyEntry, toList } from '../mask.ts'

/**
 * Entry of a filter whose value is a list of names: columns or grains.
 * @param extra  returns their `extraFormData`
 */
export function buildNamesEntry(
  filter: NativeFilter,
  value: unknown,
  extra: (names: string[]) => Record<string, unknown>,
  labelOf: (name: string) => string = (name) => name,
): DataMaskEntry {
  const names = toList(value).filter((name): name is string => typeof name === 'string' && name !== '')
  if (names.length === 0) return emptyEntry(filter)
  return {
    id: filter.id,
    extraFormData: extra(names),
    filterState: { value: names, label: names.map(labelOf).join(', ') },
    ownState: {},
  }
}
