import { describe, expect, it } from 'vitest'
import {
  listCrossFilteredCharts,
  listFilteredCharts,
  collectExtraFormData,
  readNativeFilters,
  applyFilterFlags,
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

describe('filter reach', () => {
  it('NATF-016: a scope contains the charts below its containers except the excluded ones', () => {
    const board = dashboard({ native_filter_configuration: [region, year, null, { name: 'no id' }] })
    expect(listFilteredCharts(board, 'NATIVE_FILTER-a')).toEqual([1])
    expect(listFilteredCharts(board, 'NATIVE_FILTER-b')).toEqual([1, 2, 3])
    expect(listFilteredCharts(board, 'NATIVE_FILTER-unknown')).toEqual([])
  })

  it('NATF-017: a divider reaches no charts', () => {
    const board = dashboard({ native_filter_configuration: [{ id: 'NATIVE_FILTER_DIVIDER-x', type: 'DIVIDER' }] })
    expect(listFilteredCharts(board, 'NATIVE_FILTER_DIVIDER-x')).toEqual([])
  })

  it('NATF-024: a clicked chart reaches its scope but not itself, and no charts when cross-filters are off', () => {
    const scoped = { chart_configuration: { 1: { crossFilters: { scope: { rootPath: ['TAB-1'], excluded: [] } } } } }
    expect(listCrossFilteredCharts(dashboard(scoped), 1)).toEqual([2])
    expect(listFilteredCharts(dashboard({}), '1')).toEqual([2, 3])
    expect(listFilteredCharts(dashboard({ cross_filters_enabled: false }), '1')).toEqual([])
  })

  it('NATF-025, NATF-026: the key of a clicked chart is its id; an invalid key reaches no charts', () => {
    const entry = { extraFormData: { filters: [{ col: 'country', op: 'IN', val: ['FR'] }] } }
    expect(collectExtraFormData(dashboard({}), { '1': entry }, 2)).toEqual([entry.extraFormData])
    for (const key of ['1_country', '_country', '1_', '-1', '1.0', ''])
      expect(collectExtraFormData(dashboard({}), { [key]: entry }, 2), key).toEqual([])
  })

  it('NATF-018: returns the entries that reach a chart, native filters first and in their order', () => {
    const board = dashboard({ native_filter_configuration: [region, year] })
    const mask = {
      '2': { extraFormData: { filters: [{ col: 'country', op: 'IN', val: ['FR'] }] } },
      'NATIVE_FILTER-b': { extraFormData: { time_range: 'Last week' } },
      'NATIVE_FILTER-a': { extraFormData: { filters: [{ col: 'region', op: 'IN', val: ['EU'] }] } },
      gone: { extraFormData: { time_range: 'Last year' } },
    }
    expect(collectExtraFormData(board, mask, 1)).toEqual([
      mask['NATIVE_FILTER-a'].extraFormData,
      mask['NATIVE_FILTER-b'].extraFormData,
      mask['2'].extraFormData,
    ])
    expect(collectExtraFormData(board, mask, 2)).toEqual([mask['NATIVE_FILTER-b'].extraFormData])
  })
})

describe('feature flags and legacy documents', () => {
  const extra = { extraFormData: { filters: [{ col: 'country', op: 'IN', val: ['FR'] }] } }
  const reached = (metadata: FilteredDashboard['metadata'], mask: Record<string, typeof extra>) =>
    [1, 2, 3].filter((id) => collectExtraFormData(dashboard(metadata), mask, id).length > 0)

  it('PERM-028: without DASHBOARD_CROSS_FILTERS clicks filter nothing', () => {
    expect(reached(applyFilterFlags({}, { DASHBOARD_CROSS_FILTERS: true }), { '1': extra })).toEqual([2, 3])
    expect(reached(applyFilterFlags({}, { DASHBOARD_CROSS_FILTERS: false }), { '1': extra })).toEqual([])
  })

  it('PERM-029: without DASHBOARD_NATIVE_FILTERS the native filters have no effect', () => {
    const metadata = { native_filter_configuration: [year] }
    expect(reached(applyFilterFlags(metadata, { DASHBOARD_NATIVE_FILTERS: true }), { [year.id]: extra })).toEqual([
      1, 2, 3,
    ])
    expect(reached(applyFilterFlags(metadata, { DASHBOARD_NATIVE_FILTERS: false }), { [year.id]: extra })).toEqual([])
  })

  it('a chart without its own cross-filter scope uses the global scope', () => {
    const global_chart_configuration = { scope: { rootPath: ['ROOT_ID'], excluded: [3] } }
    expect(reached({ global_chart_configuration }, { '1': extra })).toEqual([2])
    const follows = { chart_configuration: { 1: { crossFilters: { scope: 'global' } } }, global_chart_configuration }
    expect(reached(follows, { '1': extra })).toEqual([2])
    const own = {
      chart_configuration: { 1: { crossFilters: { scope: { rootPath: ['TAB-2'] } } } },
      global_chart_configuration,
    }
    expect(reached(own, { '1': extra })).toEqual([3])
  })

  it('NATF-041: a filter box reaches charts column by column according to its scopes', () => {
    const filter_scopes = {
      1: { country: { scope: ['TAB-1'], immune: [] }, __time_range: { scope: ['ROOT_ID'], immune: [2] } },
    }
    const filters = [
      { col: 'country', op: 'IN', val: ['FR'] },
      { col: 'kind', op: '==', val: 'x' },
    ]
    const mask = { '1': { extraFormData: { filters, time_range: 'Last week' } } }
    const at = (id: number) => collectExtraFormData(dashboard({ filter_scopes }), mask, id)
    expect(at(2)).toEqual([{ filters }])
    expect(at(3)).toEqual([{ filters: [filters[1]], time_range: 'Last week' }])
  })
})

describe('hostile metadata', () => {
  const odd = {
    id: 'NATIVE_FILTER-x',
    name: 7,
    targets: 'all',
    scope: { rootPath: 'ROOT_ID', excluded: 'none' },
    cascadeParentIds: { a: 1 },
    controlValues: null,
    own: 'kept',
  }

  it('regression: invalid filter fields count as not set and do not prevent the page from opening', () => {
    const filters = readNativeFilters(dashboard({ native_filter_configuration: [odd, null, 'x', { id: 5 }] }))
    expect(filters).toEqual([{ id: odd.id, scope: odd.scope, own: 'kept' }])
    const whole = { ...region, targets: [{}, { datasetId: 1, column: { name: 'a' } }] }
    expect(readNativeFilters(dashboard({ native_filter_configuration: [whole] }))[0]).toBe(whole)
  })

  it('regression: removes cyclic and self-referencing filter dependencies, which blocked the page forever', () => {
    const named = (id: string, ...cascadeParentIds: string[]) => ({ id, cascadeParentIds })
    const loop = [named('a', 'a', 'c'), named('b', 'a'), named('c', 'b', 'gone'), named('d', 'c', 'a')]
    const parents = readNativeFilters(dashboard({ native_filter_configuration: loop })).map(
      (each) => each.cascadeParentIds,
    )
    expect(parents).toEqual([['c'], ['a'], ['gone'], ['c', 'a']])
    const many = Array.from({ length: 100 }, (_, index) => named(`f${index}`, `f${index - 1}`, `f${index - 2}`))
    expect(readNativeFilters(dashboard({ native_filter_configuration: many }))).toHaveLength(100)
  })

  it('an invalid scope covers the whole dashboard', () => {
    expect(listFilteredCharts(dashboard({ native_filter_configuration: [odd] }), odd.id)).toEqual([1, 2, 3])
    const chart_configuration = { 1: { crossFilters: { scope: { rootPath: 5, excluded: {} } } } }
    expect(listCrossFilteredCharts(dashboard({ chart_configuration }), 1)).toEqual([2, 3])
  })
})
