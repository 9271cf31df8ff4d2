import { exactFields, type NativeFilter } from '@parquetry/model'
import { describe, expect, it } from 'vitest'
import { toggleCrossFilter, noCrossFilter, selectedOf } from './cross-filter.ts'
import {
  changedIds,
  chosenValuesOf,
  defaultMask,
  hasValue,
  formatEntry,
  formatFilterValue,
  buildSelectEntry,
  buildTimeEntry,
  toSearchText,
} from './mask.ts'

const region: NativeFilter = {
  id: 'NATIVE_FILTER-r',
  filterType: 'filter_select',
  targets: [{ datasetId: 1, column: { name: 'region' } }],
  controlValues: {},
}
const time: NativeFilter = { id: 'NATIVE_FILTER-t', filterType: 'filter_time', targets: [{}] }

describe('native filters as data mask', () => {
  it('NATF-018: a select filter matches rows whose column is one of the values', () => {
    expect(buildSelectEntry(region, ['EU', null, 3])).toEqual({
      id: 'NATIVE_FILTER-r',
      extraFormData: { filters: [{ col: 'region', op: 'IN', val: ['EU', null, 3] }] },
      filterState: { value: ['EU', null, 3], label: 'EU, <NULL>, 3' },
      ownState: {},
    })
  })

  it('regression: text that looks like null or nothing is a value of its own, in the query, the chip and the field', () => {
    const values = ['<NULL>', null, '', ' ', '∅']
    const entry = buildSelectEntry(region, values)
    expect(entry.extraFormData).toEqual({ filters: [{ col: 'region', op: 'IN', val: values, isExact: true }] })
    expect(formatEntry(entry)).toBe('"<NULL>", ∅, "", " ", "∅"')
    expect(chosenValuesOf(entry)).toEqual(values)
    expect(values.map(formatFilterValue)).toEqual(['"<NULL>"', '∅', '""', '" "', '"∅"'])
  })

  it('regression: null is displayed with one symbol, however sent or stored labels spell it', () => {
    expect(formatEntry(buildSelectEntry(region, ['EU', null]))).toBe('EU, ∅')
    expect(formatEntry({ filterState: { value: [null, 3] } })).toBe('∅, 3')
    expect(formatEntry({ filterState: { value: null, label: 'a, <NULL>' } })).toBe('a, ∅')
    const stored = { filterState: { value: ['<NULL>', 'a'] } }
    expect(chosenValuesOf(stored)).toEqual([null, 'a'])
    expect(toSearchText(null), 'who looks for it types the word').toBe('null')
  })

  it('an inverse select filter excludes its values', () => {
    const inverse = { ...region, controlValues: { inverseSelection: true } }
    expect(buildSelectEntry(inverse, ['EU']).extraFormData).toEqual({
      filters: [{ col: 'region', op: 'NOT IN', val: ['EU'] }],
    })
  })

  it('a time filter sets a time range, and none for "No filter"', () => {
    expect(buildTimeEntry(time, 'Last week').extraFormData).toEqual({ time_range: 'Last week' })
    expect(buildTimeEntry(time, 'No filter').extraFormData).toEqual({})
  })

  it('an empty value does not filter', () => {
    expect(buildSelectEntry(region, []).extraFormData).toEqual({})
    expect(hasValue(buildSelectEntry(region, []))).toBe(false)
    expect(hasValue(buildSelectEntry(region, [null]))).toBe(true)
    expect(hasValue(buildTimeEntry(time, 'Last week'))).toBe(true)
  })

  it('NATF-016: starts with the defaults of the filters, without dividers', () => {
    const withDefault = {
      ...time,
      defaultDataMask: { extraFormData: { time_range: 'Last year' }, filterState: { value: 'Last year' } },
    }
    const mask = defaultMask([withDefault, region, { id: 'NATIVE_FILTER_DIVIDER-1', type: 'DIVIDER' }])
    expect(mask['NATIVE_FILTER-t']?.extraFormData).toEqual({ time_range: 'Last year' })
    expect(Object.keys(mask)).toEqual(['NATIVE_FILTER-t', 'NATIVE_FILTER-r'])
  })

  it('finds the filters whose query changed', () => {
    const before = {
      'NATIVE_FILTER-r': buildSelectEntry(region, ['EU']),
      'NATIVE_FILTER-t': buildTimeEntry(time, null),
    }
    const after = { ...before, 'NATIVE_FILTER-r': buildSelectEntry(region, ['US']) }
    expect(changedIds(before, after)).toEqual(['NATIVE_FILTER-r'])
    expect(changedIds(before, { ...before })).toEqual([])
    expect(changedIds({}, { 'NATIVE_FILTER-t': buildTimeEntry(time, null) })).toEqual([])
  })
})

describe('cross-filters', () => {
  it('NATF-024: a click filters by the mark, a second click removes it, and another mark replaces it', () => {
    const france = {
      filters: [{ col: 'country', op: '==', val: 'France' }],
      key: { country: 'France' },
      label: 'France',
    }
    const spain = { filters: [{ col: 'country', op: '==', val: 'Spain' }], key: { country: 'Spain' }, label: 'Spain' }
    const entry = toggleCrossFilter(undefined, france)
    expect(entry.extraFormData).toEqual({ filters: france.filters })
    expect(selectedOf(entry)).toEqual({ country: 'France' })
    expect(toggleCrossFilter(entry, france)).toEqual(noCrossFilter)
    expect(selectedOf(toggleCrossFilter(entry, spain))).toEqual({ country: 'Spain' })
    expect(toggleCrossFilter(entry, { filters: [], key: {}, label: '' })).toEqual(noCrossFilter)
  })

  const by = (country: string | null, year = 2020) => ({
    filters: [
      country === null
        ? { col: 'country', op: 'IS NULL' as const }
        : { col: 'country', op: '==' as const, val: country },
      { col: 'year', op: '==' as const, val: year },
    ],
    key: { country, year },
    label: `${country}, ${year}`,
  })

  it('regression: marks of null, of the text that names it and of long numbers add up', () => {
    const mark = (value: string | null) => ({
      filters: [
        value === null ? { col: 'r', op: 'IS NULL' } : { col: 'r', op: '==', val: value, ...exactFields(value) },
      ],
      key: { r: value },
      label: formatFilterValue(value),
    })
    const one = toggleCrossFilter(undefined, mark('<NULL>'))
    const two = toggleCrossFilter(toggleCrossFilter(one, mark(null), true), mark('9007199254740995'), true)
    expect(two.extraFormData).toEqual({
      filters: [{ col: 'r', op: 'IN', val: ['<NULL>', null, '9007199254740995'], isExact: true }],
    })
    expect(formatEntry(two)).toBe('"<NULL>", ∅, 9007199254740995')
  })

  it('NATF-024: Ctrl-click adds a mark, or removes one of several', () => {
    const two = toggleCrossFilter(toggleCrossFilter(undefined, by('FR')), by(null), true)
    expect(two.extraFormData).toEqual({
      filters: [
        { col: 'country', op: 'IN', val: ['FR', null] },
        { col: 'year', op: '==', val: 2020 },
      ],
    })
    expect(selectedOf(two)).toEqual({ country: ['FR', null], year: [2020] })
    expect(toggleCrossFilter(two, by(null), true).extraFormData).toEqual({ filters: by('FR').filters })
    expect(toggleCrossFilter(toggleCrossFilter(undefined, by('FR')), by('FR'), true)).toEqual(noCrossFilter)
    expect(toggleCrossFilter(two, by('FR')).extraFormData, 'a plain click chooses it alone').toEqual({
      filters: by('FR').filters,
    })
  })

  it('several periods are combined under their grain', () => {
    const month = (index: number) => ({
      filters: [{ col: 'ts', op: '==' as const, val: Date.UTC(2024, index), grain: 'P1M' }],
      key: { ts: Date.UTC(2024, index) },
      label: `2024-${index + 1}`,
    })
    const two = toggleCrossFilter(toggleCrossFilter(undefined, month(0)), month(1), true)
    const val = [Date.UTC(2024, 0), Date.UTC(2024, 1)]
    expect(two.extraFormData).toEqual({ filters: [{ col: 'ts', op: 'IN', val, grain: 'P1M' }] })
    expect(two.filterState?.label).toBe('2024-1, 2024-2')
  })

  it('a mark that cannot be combined replaces the others', () => {
    const two = toggleCrossFilter(toggleCrossFilter(undefined, by('FR', 2019)), by('DE', 2020), true)
    expect(two.extraFormData).toEqual({ filters: by('DE', 2020).filters })
    expect(selectedOf(two)).toEqual({ country: 'DE', year: 2020 })
  })
})
