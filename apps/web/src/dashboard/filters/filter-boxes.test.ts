import { expect, it } from 'vitest'
import { readDashboard } from '../document/read-dashboard.ts'
import { toNativeFilters, listFilterBoxes } from './convert-filter-boxes.ts'
import { preselectedMasks } from './filter-boxes.ts'

const box = {
  id: 7,
  slice_name: 'Choose',
  form_data: {
    viz_type: 'filter_box',
    datasource: '3__table',
    show_sqla_time_granularity: true,
    instant_filtering: true,
    time_range: 'Last year',
    filter_configs: [
      { column: 'region', label: 'Region', defaultValue: 'EU;US', metric: 'people', asc: false },
      { column: 'size', multiple: false, clearable: false },
    ],
  },
}
const pie = { id: 8, slice_name: 'Pie', form_data: { viz_type: 'pie', datasource: '3__table' } }
const dashboard = readDashboard(
  {
    id: 1,
    json_metadata: JSON.stringify({ filter_scopes: { 7: { region: { scope: ['TAB-1'], immune: [8, 99] } } } }),
    position_json: JSON.stringify({
      ROOT_ID: { type: 'ROOT', children: ['TABS-1'] },
      'TABS-1': { type: 'TABS', children: ['TAB-1'] },
      'TAB-1': { type: 'TAB', children: ['ROW-1'] },
      'ROW-1': { type: 'ROW', children: ['CHART-a', 'CHART-b'] },
      'CHART-a': { type: 'CHART', children: [], meta: { chartId: 7, width: 4, height: 20 } },
      'CHART-b': { type: 'CHART', children: [], meta: { chartId: 8, width: 4, height: 20 } },
    }),
  },
  [box, pie],
)

it('NATF-041: describes the columns, labels, scopes and position of a filter box', () => {
  expect(listFilterBoxes(dashboard, dashboard.layout.nodes)).toEqual([
    {
      chartId: 7,
      componentId: 'CHART-a',
      datasourceId: '3__table',
      filterName: 'Choose',
      directPathToFilter: ['ROOT_ID', 'TABS-1', 'TAB-1', 'ROW-1', 'CHART-a'],
      columns: { __time_range: 'Last year', __time_grain: null, region: ['EU', 'US'], size: null },
      labels: { region: 'Region', size: 'size' },
      scopes: {
        __time_range: { scope: ['ROOT_ID'], immune: [] },
        __time_grain: { scope: ['ROOT_ID'], immune: [] },
        region: { scope: ['TAB-1'], immune: [8, 99] },
        size: { scope: ['ROOT_ID'], immune: [] },
      },
      isDateFilter: true,
      isInstantFilter: true,
    },
  ])
})

it('converts filter boxes to filters of the bar with their defaults and scopes', () => {
  let n = 0
  const words = { __time_range: 'Time range', __time_grain: 'Time grain' }
  const filters = toNativeFilters(dashboard, dashboard.layout.nodes, () => String(++n), words)
  expect(filters).toMatchObject([
    { name: 'Time range', filterType: 'filter_time', defaultDataMask: { extraFormData: { time_range: 'Last year' } } },
    {
      name: 'Time grain',
      filterType: 'filter_timegrain',
      targets: [{ datasetId: 3 }],
      defaultDataMask: { extraFormData: {} },
    },
    {
      name: 'Region',
      filterType: 'filter_select',
      targets: [{ datasetId: 3, column: { name: 'region' } }],
      sortMetric: 'people',
      controlValues: { multiSelect: true, enableEmptyFilter: false, sortAscending: false },
      defaultDataMask: { extraFormData: { filters: [{ col: 'region', op: 'IN', val: ['EU', 'US'] }] } },
      scope: { rootPath: ['TAB-1'], excluded: [8] },
    },
    { name: 'size', controlValues: { multiSelect: false, enableEmptyFilter: true } },
  ])
  expect(new Set(filters.map(({ id }) => id)).size).toBe(4)
})

it('applies the preselected values of a legacy link and ignores invalid ones', () => {
  const link = (value: unknown) => preselectedMasks(dashboard.charts, JSON.stringify(value))
  expect(link({ 7: { region: ['AS'], size: 'big' } })['7']?.extraFormData).toEqual({
    filters: [
      { col: 'region', op: 'IN', val: ['AS'] },
      { col: 'size', op: '==', val: 'big' },
    ],
  })
  expect([link({ 8: { region: ['AS'] } }), link([1]), link({ 7: 3 })['7'] !== undefined]).toEqual([{}, {}, true])
  expect(preselectedMasks(dashboard.charts, '{')).toEqual({})
  expect(preselectedMasks(dashboard.charts, undefined)).toEqual({})
})
