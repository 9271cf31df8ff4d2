import type { NativeFilter } from '@parquetry/model'
import type { FilterKind } from './kind.ts'
import { kinds } from './kinds.gen.ts'

const byType: ReadonlyMap<string | null, FilterKind> = new Map(kinds.map((kind) => [kind.filterType, kind]))

/** Kind of a filter; undefined for unknown kinds from other tools, which stay unchanged. */
export const kindOf = (filter: NativeFilter): FilterKind | undefined =>
  byType.get(filter.type === 'DIVIDER' ? null : (filter.filterType ?? ''))

export const getKind = (filterType: string | null): FilterKind => {
  const kind = byType.get(filterType)
  if (!kind) throw new Error(`There is no filter kind ${filterType}.`)
  return kind
}

/** Kinds of filters that can be created under these feature flags. */
export const listAvailableKinds = (flags: Readonly<Record<string, boolean | undefined>>): FilterKind[] =>
  kinds.filter(({ filterType, flag }) => filterType !== null && (flag === undefined || flags[flag] === true))

/** True if a filter without a default starts with the first of its values. */
export const defaultsToFirst = (filter: NativeFilter): boolean =>
  kindOf(filter)?.hasValues === true && filter.controlValues?.defaultToFirstItem === true
