import { readLayout, type DataMask } from '@parquetry/model'
import { expect, it } from 'vitest'
import { filtersOfChart } from './filters-of-chart.ts'
import type { ChartAnswer } from '../data/chart-data.ts'

const chart = (chartId: number) => ({ type: 'CHART', children: [], meta: { chartId } })
const { nodes } = readLayout({
  ROOT_ID: { type: 'ROOT', children: ['GRID_ID'] },
  GRID_ID: { type: 'GRID', children: ['ROW-1'] },
  'ROW-1': { type: 'ROW', children: ['a', 'b'] },
  a: chart(1),
  b: chart(2),
})
const filter = (id: string, name: string, column: string, excluded: number[] = []) => ({
  id,
  name,
  targets: [{ datasetId: 1, column: { name: column } }],
  scope: { rootPath: ['ROOT_ID'], excluded },
})
const dashboard = {
  nodes,
  metadata: {
    native_filter_configuration: [
      filter('f1', 'Region', 'region'),
      filter('f2', 'Maker', 'maker'),
      filter('f3', 'Year', 'year', [1]),
    ],
  },
}
const says = (col: string, value: string) => ({
  extraFormData: { filters: [{ col, op: 'IN', val: [value] }] },
  filterState: { value: [value] },
})
const mask: DataMask = {
  f1: says('region', 'EU'),
  f2: says('maker', 'ford'),
  f3: says('year', '1970'),
  f4: { extraFormData: {} },
  2: { ...says('country', 'France'), filterState: { value: ['France'], label: 'France' } },
}

it('NATF-018: says of a chart what is applied, what is not and why, and what it sets itself', () => {
  const answer = {
    facts: { rows: { rejected_filters: [{ column: 'maker', reason: 'not_in_datasource' }] } },
  } as unknown as ChartAnswer
  const form = {
    time_range: 'Last week',
    adhoc_filters: [
      { expressionType: 'SIMPLE', subject: 'price', operator: '>', comparator: 5 },
      { expressionType: 'SQL', sqlExpression: 'price < 9' },
      { expressionType: 'SIMPLE', subject: 'day', operator: 'TEMPORAL_RANGE', comparator: 'No filter' },
    ],
  }
  expect(filtersOfChart(dashboard, mask, 1, form, answer, (id) => `Chart ${id}`)).toEqual({
    applied: [
      { id: '2', name: 'Chart 2', value: 'France', from: 'chart' },
      { id: 'f1', name: 'Region', value: 'EU', from: 'bar' },
    ],
    notApplied: [
      { id: 'f2', name: 'Maker', value: 'ford', from: 'bar', reason: 'not_in_datasource' },
      { id: 'f3', name: 'Year', value: '1970', from: 'bar', reason: 'scope' },
    ],
    own: ['Last week', 'price > 5', 'price < 9'],
  })
})

it('a chart is not filtered by its own click', () => {
  const { applied, notApplied } = filtersOfChart(dashboard, { 1: says('country', 'France') }, 1, {}, null, String)
  expect([...applied, ...notApplied]).toEqual([])
})
