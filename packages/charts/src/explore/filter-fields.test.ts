import type { MissingReference, NativeFilter } from '@parquetry/model'
import { expect, it } from 'vitest'
import { findMissingInFilter, renameFilterFields } from './filter-fields.ts'
import { toRenames } from './missing-references.ts'

const missingReference = (kind: MissingReference['kind'], name: string, now: string | null): MissingReference => ({
  kind,
  name,
  now,
  by: 'Ada Admin',
  at: '2026-11-28T09:00:00',
})
const missingReferences = [
  missingReference('column', 'species', 'kind'),
  missingReference('column', 'island', null),
  missingReference('column', 'sex', 'gender'),
  missingReference('metric', 'weight', 'mass'),
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

it('DSET-018: finds missing references in the target, sort metric and conditions of a filter', () => {
  expect(findMissingInFilter(filter, 7, missingReferences).map(({ name }) => name)).toEqual([
    'species',
    'sex',
    'weight',
  ])
  expect(
    findMissingInFilter({ ...filter, adhoc_filters: [], controlValues: {}, targets: [{ datasetId: 8 }] }, 8, []),
  ).toEqual([])
  const island = { ...filter, targets: [{ datasetId: 7, column: { name: 'island' } }], adhoc_filters: [] }
  expect(
    findMissingInFilter({ ...island, controlValues: {}, defaultDataMask: {} }, 7, missingReferences).map(
      ({ name }) => name,
    ),
  ).toEqual(['island'])
})

it("DSET-018: applies new names, and leaves the filter's name and values unchanged, even if they look like field names", () => {
  const after = renameFilterFields(filter, 7, toRenames(missingReferences))
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
  expect(findMissingInFilter(after, 7, missingReferences)).toEqual([])
})

it('DSET-018: renames columns in the default of a filter whose values are columns', () => {
  const groupBy: NativeFilter = {
    id: 'NATIVE_FILTER-2',
    filterType: 'filter_groupby',
    targets: [{ datasetId: 7 }],
    defaultDataMask: {
      extraFormData: { interactive_groupby: ['species', 'year'] },
      filterState: { value: ['species', 'year'], label: 'species, year' },
    },
  }
  expect(findMissingInFilter(groupBy, 7, missingReferences).map(({ name }) => name)).toEqual(['species'])
  expect(renameFilterFields(groupBy, 7, toRenames(missingReferences)).defaultDataMask).toEqual({
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
  expect(renameFilterFields(time, 7, toRenames(missingReferences)).defaultDataMask).toEqual({
    extraFormData: { granularity_sqla: 'kind' },
    filterState: { value: ['kind'], label: 'When' },
  })
})
