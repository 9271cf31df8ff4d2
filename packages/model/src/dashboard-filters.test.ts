import { describe, expect, it } from 'vitest'
import {
  chartsCrossFilteredBy,
  chartsReachedBy,
  extraFormDataFor,
  type FilteredDashboard,
} from './dashboard-filters.ts'
import { readLayout } from './dashboard-layout.ts'

const chart = (chartId: number) => ({ type: 'CHART', children: [], meta: { chartId } })

const dashboard = (metadata: FilteredDashboard['metadata']): FilteredDashboard => ({
  nodes: readLayout({
    ROOT_ID: { type: 'ROOT', children: ['TABS-1'] },
    'TABS-1': { type: 'TABS', children: ['TAB-1', 'TAB-2'] },
    'TAB-1': { type: 'TAB', children: ['ROW-1'] },
    'TAB-2': { type: 'TAB', children: ['ROW-2'] },
    'ROW-1': { type: 'ROW', children: ['c1', 'c2'] },
    'ROW-2': { type: 'ROW', children: ['c3'] },
    c1: chart(1),
    c2: chart(2),
    c3: chart(3),
  }).nodes,
  metadata,
})

const region = { id: 'NATIVE_FILTER-a', name: 'Region', scope: { rootPath: ['TAB-1'], excluded: [2] } }
const year = { id: 'NATIVE_FILTER-b', name: 'Year', scope: { rootPath: ['ROOT_ID'], excluded: [] } }

describe('what a filter reaches', () => {
  it('NATF-016: a scope is the charts below its containers without the excluded ones', () => {
    const board = dashboard({ native_filter_configuration: [region, year, null, { name: 'no id' }] })
    expect(chartsReachedBy(board, 'NATIVE_FILTER-a')).toEqual([1])
    expect(chartsReachedBy(board, 'NATIVE_FILTER-b')).toEqual([1, 2, 3])
    expect(chartsReachedBy(board, 'NATIVE_FILTER-unknown')).toEqual([])
  })

  it('NATF-017: a divider reaches nobody', () => {
    const board = dashboard({ native_filter_configuration: [{ id: 'NATIVE_FILTER_DIVIDER-x', type: 'DIVIDER' }] })
    expect(chartsReachedBy(board, 'NATIVE_FILTER_DIVIDER-x')).toEqual([])
  })

  it('NATF-024: a clicked chart reaches its scope but not itself, and nobody when cross-filters are off', () => {
    const scoped = { chart_configuration: { 1: { crossFilters: { scope: { rootPath: ['TAB-1'], excluded: [] } } } } }
    expect(chartsCrossFilteredBy(dashboard(scoped), 1)).toEqual([2])
    expect(chartsReachedBy(dashboard({}), '1')).toEqual([2, 3])
    expect(chartsReachedBy(dashboard({ cross_filters_enabled: false }), '1')).toEqual([])
  })

  it('NATF-025, NATF-026: the key of a clicked chart is its id; one that cannot be read reaches nobody', () => {
    const entry = { extraFormData: { filters: [{ col: 'country', op: 'IN', val: ['FR'] }] } }
    expect(extraFormDataFor(dashboard({}), { '1': entry }, 2)).toEqual([entry.extraFormData])
    for (const key of ['1_country', '_country', '1_', '-1', '1.0', ''])
      expect(extraFormDataFor(dashboard({}), { [key]: entry }, 2), key).toEqual([])
  })

  it('NATF-018: gives a chart the entries that reach it, native filters in their order first', () => {
    const board = dashboard({ native_filter_configuration: [region, year] })
    const mask = {
      '2': { extraFormData: { filters: [{ col: 'country', op: 'IN', val: ['FR'] }] } },
      'NATIVE_FILTER-b': { extraFormData: { time_range: 'Last week' } },
      'NATIVE_FILTER-a': { extraFormData: { filters: [{ col: 'region', op: 'IN', val: ['EU'] }] } },
      gone: { extraFormData: { time_range: 'Last year' } },
    }
    expect(extraFormDataFor(board, mask, 1)).toEqual([
      mask['NATIVE_FILTER-a'].extraFormData,
      mask['NATIVE_FILTER-b'].extraFormData,
      mask['2'].extraFormData,
    ])
    expect(extraFormDataFor(board, mask, 2)).toEqual([mask['NATIVE_FILTER-b'].extraFormData])
  })
})
