import type { LostName, NativeFilter } from '@parquetry/model'
import { expect, it } from 'vitest'
import { lostInFilter, renamedFilter } from './filter-names.ts'
import { renamesOf } from './lost-names.ts'

const lostName = (kind: LostName['kind'], name: string, now: string | null): LostName => ({
  kind,
  name,
  now,
  by: 'Ada Admin',
  at: '2026-11-28T09:00:00',
})
const lost = [
  lostName('column', 'species', 'kind'),
  lostName('column', 'island', null),
  lostName('column', 'sex', 'gender'),
  lostName('metric', 'weight', 'mass'),
]
const filter: NativeFilter = {
  id: 'NATIVE_FILTER-1',
  type: 'NATIVE_FILTER',
  name: 'species',
  filterType: 'filter_select',
  targets: [{ datasetId: 7, column: { name: 'species' } }],
  controlValues: { sortMetric: 'weight', multiSelect: true },
  adhoc_filters: [{ expressionType: 'SIMPLE', clause: 'WHERE', subject: 'sex', operator: '==', comparator: 'f' }],
  defaultDataMask: {
    extraFormData: { filters: [{ col: 'species', op: 'IN', val: ['species', 'Gentoo'] }] },
    filterState: { value: ['species', 'Gentoo'], label: 'species, Gentoo' },
  },
}

it('DSET-018: finds lost names in what a filter stands on, sorts by, and leaves out', () => {
  expect(lostInFilter(filter, 7, lost).map(({ name }) => name)).toEqual(['species', 'sex', 'weight'])
  expect(lostInFilter({ ...filter, adhoc_filters: [], controlValues: {}, targets: [{ datasetId: 8 }] }, 8, [])).toEqual(
    [],
  )
  const island = { ...filter, targets: [{ datasetId: 7, column: { name: 'island' } }], adhoc_filters: [] }
  expect(lostInFilter({ ...island, controlValues: {}, defaultDataMask: {} }, 7, lost).map(({ name }) => name)).toEqual([
    'island',
  ])
})

it('DSET-018: puts the new names in and leaves its name and its values alone, those that look like names too', () => {
  const after = renamedFilter(filter, 7, renamesOf(lost))
  expect(after).toEqual({
    ...filter,
    targets: [{ datasetId: 7, column: { name: 'kind' } }],
    controlValues: { sortMetric: 'mass', multiSelect: true },
    adhoc_filters: [{ expressionType: 'SIMPLE', clause: 'WHERE', subject: 'gender', operator: '==', comparator: 'f' }],
    defaultDataMask: {
      ...filter.defaultDataMask,
      extraFormData: { filters: [{ col: 'kind', op: 'IN', val: ['species', 'Gentoo'] }] },
    },
  })
  expect(lostInFilter(after, 7, lost)).toEqual([])
})

it('DSET-018: the default of a filter whose values are columns goes by their new names', () => {
  const groupBy: NativeFilter = {
    id: 'NATIVE_FILTER-2',
    filterType: 'filter_groupby',
    targets: [{ datasetId: 7 }],
    defaultDataMask: {
      extraFormData: { interactive_groupby: ['species', 'year'] },
      filterState: { value: ['species', 'year'], label: 'species, year' },
    },
  }
  expect(lostInFilter(groupBy, 7, lost).map(({ name }) => name)).toEqual(['species'])
  expect(renamedFilter(groupBy, 7, renamesOf(lost)).defaultDataMask).toEqual({
    extraFormData: { interactive_groupby: ['kind', 'year'] },
    filterState: { value: ['kind', 'year'], label: 'kind, year' },
  })
  const time: NativeFilter = {
    id: 'NATIVE_FILTER-3',
    filterType: 'filter_timecolumn',
    targets: [{ datasetId: 7 }],
    defaultDataMask: {
      extraFormData: { granularity_sqla: 'species' },
      filterState: { value: ['species'], label: 'When' },
    },
  }
  expect(renamedFilter(time, 7, renamesOf(lost)).defaultDataMask).toEqual({
    extraFormData: { granularity_sqla: 'kind' },
    filterState: { value: ['kind'], label: 'When' },
  })
})
