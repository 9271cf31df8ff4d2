import { mergeExtras } from '@parquetry/charts'
import { readLayout, type DataMask } from '@parquetry/model'
import { expect, it } from 'vitest'
import { resolveChartFilters } from './chart-filters.ts'
import type { ChartDataResult } from '../data/chart-data.ts'

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
const filterMask = (col: string, value: string) => ({
  extraFormData: { filters: [{ col, op: 'IN', val: [value] }] },
  filterState: { value: [value] },
})
const mask: DataMask = {
  f1: filterMask('region', 'EU'),
  f2: filterMask('maker', 'ford'),
  f3: filterMask('year', '1970'),
  f4: { extraFormData: {} },
  2: { ...filterMask('country', 'France'), filterState: { value: ['France'], label: 'France' } },
}

/** Result of a query with these entries merged into the form. */
const answered = (
  entries: DataMask[string][],
  applied: string[],
  rejected: { column: string; reason: string }[] = [],
): ChartDataResult =>
  ({
    facts: { rows: { applied_filters: applied.map((column) => ({ column })), rejected_filters: rejected } },
    form: { extra_form_data: mergeExtras(entries.map(({ extraFormData = {} }) => extraFormData)) },
  }) as unknown as ChartDataResult

it('NATF-018: lists applied filters, filters not applied with reasons, and those of the chart itself', () => {
  const entries = [mask['f1']!, mask['f2']!, mask['2']!]
  const answer = answered(entries, ['region', 'country'], [{ column: 'maker', reason: 'not_in_datasource' }])
  const form = {
    time_range: 'Last week',
    adhoc_filters: [
      { expressionType: 'SIMPLE', subject: 'price', operator: '>', comparator: 5 },
      { expressionType: 'SQL', sqlExpression: 'price < 9' },
      { expressionType: 'SIMPLE', subject: 'day', operator: 'TEMPORAL_RANGE', comparator: 'No filter' },
    ],
  }
  expect(resolveChartFilters(dashboard, mask, 1, form, answer, (id) => `Chart ${id}`)).toEqual({
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
  const { applied, notApplied } = resolveChartFilters(
    dashboard,
    { 1: filterMask('country', 'France') },
    1,
    {},
    null,
    String,
  )
  expect([...applied, ...notApplied]).toEqual([])
})

const lastYear = { extraFormData: { time_range: 'Last year' }, filterState: { value: 'Last year' } }
const stateOf = (of: DataMask, answer: ChartDataResult | null, form = {}) => {
  const { applied, notApplied } = resolveChartFilters(dashboard, of, 1, form, answer, String)
  return { applied: applied.map(({ id }) => id), not: notApplied.map(({ id, reason }) => [id, reason]) }
}

it('regression: a time range is applied only if the server reports it as applied', () => {
  const applied = answered([lastYear], ['day', '__time_range'])
  expect(stateOf({ f1: lastYear }, applied)).toEqual({ applied: ['f1'], not: [] })
  const rejected = answered([lastYear], [], [{ column: '__time_range', reason: 'no_time_filter' }])
  expect(stateOf({ f1: lastYear }, rejected)).toEqual({ applied: [], not: [['f1', 'no_time_filter']] })
})

it('regression: a filter that the server does not report is not applied', () => {
  expect(stateOf({ f1: filterMask('region', 'EU') }, answered([filterMask('region', 'EU')], []))).toEqual({
    applied: [],
    not: [['f1', 'unused']],
  })
})

it('regression: the filter badge describes the displayed result, not pending filters', () => {
  const of = { f1: filterMask('region', 'US'), f2: filterMask('maker', 'ford') }
  expect(stateOf(of, null)).toEqual({ applied: [], not: [] })
  const older = answered([filterMask('region', 'EU'), filterMask('maker', 'ford')], ['region', 'maker'])
  expect(stateOf(of, older)).toEqual({ applied: ['f2'], not: [] })
})

it('of two time filters the last one applies, and the other is reported as overridden', () => {
  const thisYear = { extraFormData: { time_range: 'This year' } }
  const answer = answered([lastYear, thisYear], ['__time_range'])
  expect(stateOf({ f1: lastYear, f2: thisYear }, answer)).toEqual({ applied: ['f2'], not: [['f1', 'overridden']] })
})

it('matches a click on a time axis by the name of its column', () => {
  const col = { sqlExpression: 'day', label: 'day', columnType: 'BASE_AXIS', timeGrain: 'P1D' }
  const click = { extraFormData: { filters: [{ col, op: 'IN', val: [0] }] }, filterState: { value: [0] } }
  expect(stateOf({ 2: click }, answered([click], ['day']))).toEqual({ applied: ['2'], not: [] })
})

it('regression: a time range of the chart that the dashboard replaces is not listed as set in the chart', () => {
  const range = (subject: string, comparator: string) => ({
    expressionType: 'SIMPLE',
    subject,
    operator: 'TEMPORAL_RANGE',
    comparator,
  })
  const form = { time_range: 'Last week', adhoc_filters: [range('day', '2013 : 2016'), range('born', '1990 : 2000')] }
  const dataset = { id: 1, main_dttm_col: 'day', columns: [] }
  const listOwn = (of: DataMask[string][], own: object = form) =>
    resolveChartFilters(dashboard, {}, 1, { ...own }, answered(of, ['day', '__time_range']), String, dataset).own
  expect(listOwn([])).toEqual(['Last week', 'day: 2013 : 2016', 'born: 1990 : 2000'])
  expect(listOwn([lastYear])).toEqual(['born: 1990 : 2000'])
  expect(listOwn([lastYear], { ...form, granularity_sqla: 'born' })).toEqual(['day: 2013 : 2016'])
})
