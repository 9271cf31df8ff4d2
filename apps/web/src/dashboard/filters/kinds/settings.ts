import type { NativeFilter } from '@parquetry/model'

/** The filter with a setting of its kind; undefined takes it out. */
export function withSetting(filter: NativeFilter, name: string, value: unknown): NativeFilter {
  const { [name]: _, ...others } = filter.controlValues ?? {}
  return { ...filter, controlValues: value === undefined ? others : { ...others, [name]: value } }
}
