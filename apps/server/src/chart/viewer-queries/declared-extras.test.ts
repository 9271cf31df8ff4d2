import { collectExtraFormData, type DataMask, type LayoutNodes } from '@parquetry/model'
import { expect, it } from 'vitest'
import type { SavedChart } from '../saved-chart-query.ts'
import { areDeclaredExtras } from './declared-extras.ts'

const native = (id: string, filterType: string, column?: string) => ({
  id: `NATIVE_FILTER-${id}`,
  filterType,
  targets: [column === undefined ? {} : { datasetId: 1, column: { name: column } }],
})
const node = (id: string, type: string, children: string[], chartId?: number) => ({
  id,
  type,
  children,
  meta: chartId === undefined ? {} : { chartId },
})
const filtered = {
  nodes: {
    ROOT_ID: node('ROOT_ID', 'ROOT', ['A', 'B', 'C']),
    A: node('A', 'CHART', [], 6),
    B: node('B', 'CHART', [], 7),
    C: node('C', 'CHART', [], 8),
  } as unknown as LayoutNodes,
  metadata: {
    native_filter_configuration: [
      native('region', 'filter_select', 'region'),
      { ...native('price', 'filter_range', 'price'), scope: { rootPath: ['ROOT_ID'], excluded: [8] } },
      native('time', 'filter_time'),
      native('odd', 'filter_of_tomorrow'),
      { id: 'NATIVE_FILTER_DIVIDER-1', type: 'DIVIDER' },
    ],
  },
}
const upper = { label: 'up', sqlExpression: 'upper(city)', expressionType: 'SQL' }
const count = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'count' }
const pie = { viz_type: 'pie', groupby: ['country', upper], metric: count }
const chart = { id: 7, datasource_id: 1, params: JSON.stringify(pie), viz_type: 'pie' } as SavedChart
const shownChart = { id: 6, datasource_id: 1, params: '{}', viz_type: 'table' } as SavedChart
const excluded = { id: 8, params: '{}', viz_type: 'table' } as SavedChart
const charts = new Map([shownChart, chart, excluded].map((each) => [each.id, each]))

/** Tests whether the part of an entry of a data mask that reaches a chart is declared. */
const under = async (id: string, extraFormData: object, shown = shownChart) => {
  const extras = collectExtraFormData(filtered, { [id]: { extraFormData } } as DataMask, shown.id)
  const declared = extras.map((extra) => areDeclaredExtras({ chart: shown, dashboard: { filtered, charts } }, extra))
  return (await Promise.all(declared)).every(Boolean)
}
const filters = (col: unknown, op = 'IN', val: unknown = ['SEA']) => ({ filters: [{ col, op, val }] })

it.each([
  ['NATIVE_FILTER-region', filters('region')],
  ['NATIVE_FILTER-region', filters('region', 'NOT IN', [null, 1, true])],
  [
    'NATIVE_FILTER-price',
    {
      filters: [
        { col: 'price', op: '>=', val: 1 },
        { col: 'price', op: '<=', val: 2 },
      ],
    },
  ],
  ['NATIVE_FILTER-time', { time_range: 'Last week' }],
  ['7', filters('country', '==', 'France')],
  ['7', filters(upper, '==', 'PARIS')],
  ['7', { filters: [{ col: 'country', op: '==', val: 1_704_067_200_000, grain: 'P1M' }] }],
  ['NATIVE_FILTER-region', {}],
])('accepts declared filter values in %s: %j', async (id, extra) => {
  expect(await under(id, extra)).toBe(true)
})

const isDeclared = (extra: object, shown = shownChart, metadata: Record<string, unknown> = filtered.metadata) =>
  areDeclaredExtras({ chart: shown, dashboard: { filtered: { ...filtered, metadata }, charts } }, { ...extra })

it.each<Record<string, unknown>>([
  filters('salary'),
  filters({ ...upper, sqlExpression: '1=1) OR (1=1' }),
  filters({ ...upper, sqlExpression: 'upper(name)' }, '==', 'ANA'),
  filters('region', 'LIKE', '%'),
  filters('region', 'ILIKE', '%a%'),
  filters('region', 'IN', [{ sql: '1' }]),
  { filters: 'region' },
  { filters: [{ col: 'region', op: 'IN', val: [1], clause: 'HAVING' }] },
  { filters: [{ col: 'country', op: '==', val: 1, grain: { sqlExpression: '1' } }] },
  { adhoc_filters: [{ expressionType: 'SQL', sqlExpression: '1=1', clause: 'WHERE' }] },
  { custom_form_data: { metrics: ['secret'] } },
  { granularity_sqla: 'born' },
  { time_range: { sql: '1' } },
  { time_compare: ['1 year ago'] },
  { interactive_groupby: ['salary'] },
  { constructor: 'x' },
])('refuses undeclared parts: %j', async (extra) => {
  expect(await isDeclared(extra)).toBe(false)
})

it('declares what the filters of a dashboard can set, by their type', async () => {
  const only = (...types: string[]) => ({
    native_filter_configuration: types.map((type) => native(type, type, 'region')),
  })
  const range = { time_range: 'Last week' }
  expect(await isDeclared(range)).toBe(true)
  expect(await isDeclared(range, shownChart, only('filter_select', 'filter_range', 'filter_of_tomorrow'))).toBe(false)
  expect(await isDeclared(filters('region'), shownChart, only('filter_time', 'filter_of_tomorrow'))).toBe(false)
  const divider = { ...native('region', 'filter_select', 'region'), type: 'DIVIDER' }
  expect(await isDeclared(filters('region'), shownChart, { native_filter_configuration: [divider] })).toBe(false)
  expect(await isDeclared({ interactive_groupby: ['city'] }, shownChart, only('filter_groupby'))).toBe(true)
  expect(await isDeclared({ time_grain_sqla: 'P1D' }, shownChart, only('filter_timegrain'))).toBe(true)
  expect(await isDeclared({ granularity_sqla: 'born' }, shownChart, only('filter_timecolumn'))).toBe(true)
})

it('declares nothing beyond the scope of a filter, and nothing for a chart by itself', async () => {
  const extra = filters('price', '>=', 1)
  expect(await isDeclared(extra)).toBe(true)
  expect(await isDeclared(extra, excluded)).toBe(false)
  expect(await areDeclaredExtras({ chart: shownChart, dashboard: null }, extra)).toBe(false)
})

it('declares the search of a paged table and of a filter box, on their own columns only', async () => {
  const search = (chart: Partial<SavedChart>, col: string) =>
    areDeclaredExtras({ chart: chart as SavedChart, dashboard: null }, filters(col, 'ILIKE', '%a%'))
  const table = { viz_type: 'table', query_mode: 'aggregate', groupby: ['country'], metrics: [count] }
  const paged = { id: 1, viz_type: 'table', params: JSON.stringify({ ...table, server_pagination: true }) }
  const box = {
    id: 1,
    viz_type: 'filter_box',
    params: JSON.stringify({ viz_type: 'filter_box', filter_configs: [{ column: 'country' }] }),
  }
  expect([await search(paged, 'country'), await search(paged, 'salary')]).toEqual([true, false])
  expect([await search(box, 'country'), await search(box, 'salary')]).toEqual([true, false])
  expect(await search({ ...paged, params: JSON.stringify(table) }, 'country')).toBe(false)
})

it('declares dimensions of a chart, but not columns of its metrics and conditions', async () => {
  const highest = { expressionType: 'SIMPLE', aggregate: 'MAX', column: { column_name: 'salary' }, label: 'most' }
  const adhoc_filters = [
    { expressionType: 'SIMPLE', clause: 'WHERE', subject: 'name', operator: '!=', comparator: 'x' },
  ]
  const emitter = { ...chart, params: JSON.stringify({ ...pie, metric: highest, adhoc_filters, note: ['born'] }) }
  const dashboard = { filtered, charts: new Map([[7, emitter]]) }
  const allows = (col: string) => areDeclaredExtras({ chart: shownChart, dashboard }, filters(col))
  const names = ['country', 'salary', 'name', 'born', 'most']
  expect(await Promise.all(names.map(allows))).toEqual([true, false, false, false, false])
})

it('lets a chart of another dataset filter only by names that the chart shows, or that filter nothing', async () => {
  const emitter = { ...chart, datasource_id: 2 }
  const columns = [{ column_name: 'country' }]
  const ask = (shown: SavedChart, col: unknown, known = columns) =>
    areDeclaredExtras({ chart: shown, dashboard: { filtered, charts: new Map([[7, emitter]]) } }, filters(col), known)
  const own = { ...shownChart, viz_type: 'pie', params: JSON.stringify(pie) }
  expect([await ask(shownChart, 'country'), await ask(own, 'country')]).toEqual([false, true])
  expect([await ask(own, upper), await ask(shownChart, 'country', [])]).toEqual([false, true])
  expect(await ask(shownChart, 'salary', [])).toBe(false)
})
