import type { DataMask } from '@parquetry/model'
import { expect, it } from 'vitest'
import type { SavedChart } from '../chart/saved-chart-query.ts'
import { authorizeGuestMask } from './authorize-guest-mask.ts'

const native = (id: string, filterType: string, column?: string) => ({
  id: `NATIVE_FILTER-${id}`,
  filterType,
  targets: [column === undefined ? {} : { datasetId: 1, column: { name: column } }],
})
const dashboard = {
  nodes: {},
  metadata: {
    native_filter_configuration: [
      native('region', 'filter_select', 'region'),
      native('price', 'filter_range', 'price'),
      native('time', 'filter_time'),
      native('odd', 'filter_of_tomorrow'),
      { id: 'NATIVE_FILTER_DIVIDER-1', type: 'DIVIDER' },
    ],
  },
}
const upper = { label: 'up', sqlExpression: 'upper(city)', expressionType: 'SQL' }
const chart = { id: 7, params: JSON.stringify({ viz_type: 'pie', groupby: ['country', upper] }) } as SavedChart
const charts = new Map([[7, chart]])

const under = (id: string, extraFormData: object) =>
  authorizeGuestMask(dashboard, charts, { [id]: { extraFormData } } as DataMask)
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
])('accepts declared filter values of a guest in %s: %j', (id, extra) => {
  expect(under(id, extra)).toEqual({ [id]: { extraFormData: extra } })
})

it.each([
  ['NATIVE_FILTER-region', filters('salary')],
  ['NATIVE_FILTER-region', filters({ ...upper, sqlExpression: '1=1) OR (1=1' })],
  ['NATIVE_FILTER-region', filters('region', 'LIKE', '%')],
  ['NATIVE_FILTER-region', filters('region', 'IN', [{ sql: '1' }])],
  ['NATIVE_FILTER-region', { filters: 'region' }],
  ['NATIVE_FILTER-region', { filters: [{ col: 'region', op: 'IN', val: [1], clause: 'HAVING' }] }],
  ['7', { filters: [{ col: 'country', op: '==', val: 1, grain: { sqlExpression: '1' } }] }],
  ['NATIVE_FILTER-region', { adhoc_filters: [{ expressionType: 'SQL', sqlExpression: '1=1', clause: 'WHERE' }] }],
  ['NATIVE_FILTER-region', { time_range: 'Last week' }],
  ['NATIVE_FILTER-region', { custom_form_data: { metrics: ['secret'] } }],
  ['NATIVE_FILTER-time', { granularity_sqla: 'born' }],
  ['NATIVE_FILTER-time', { time_range: { sql: '1' } }],
  ['NATIVE_FILTER-odd', filters('region')],
  ['NATIVE_FILTER_DIVIDER-1', filters('region')],
  ['7', filters('salary', '==', 1)],
  ['7', filters({ ...upper, sqlExpression: 'upper(name)' }, '==', 'ANA')],
  ['7', { time_range: 'Last week' }],
])('refuses undeclared parts in %s: %j', (id, extra) => {
  expect(() => under(id, extra)).toThrow('Forbidden')
})

it('drops entries for filters and charts that the dashboard does not have', () => {
  expect(under('NATIVE_FILTER-gone', filters('salary'))).toEqual({})
  expect(under('8', filters('salary'))).toEqual({})
  expect(under('constructor', filters('salary'))).toEqual({})
})
