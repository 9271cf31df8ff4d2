import type { NativeFilter } from '@parquetry/model'

/** Sets a kind-specific setting of a filter; undefined removes it. */
export function withSetting(filter: NativeFilter, name: string, value: unknown): NativeFilter {
  const { [name]: _, ...others } = filter.controlValues ?? {}
  return { ...filter, controlValues: value === undefined ? others : { ...others, [name]: value } }
}
