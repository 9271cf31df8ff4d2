import type { QueryObject } from '@parquetry/model'
import { describe, expect, it } from 'vitest'
import { isSameQuery, isSorted } from './compare-queries.ts'

const hiding = { label: 'Horsepower', sqlExpression: "'hidden'", expressionType: 'SQL' as const }
const count = { label: 'Name', sqlExpression: 'COUNT(*)', expressionType: 'SQL' as const }
const saved: QueryObject = { columns: ['Origin'], metrics: [], row_limit: 10 }
const isSame = (change: QueryObject, base = saved, isPaged = false) =>
  isSameQuery({ ...base, ...change }, base, { isPaged })

describe('a query is the saved one', () => {
  it.each<[string, QueryObject]>([
    ['with fields that a plan reads like missing ones', { extras: {}, time_range: null, series_limit: 0 }],
    ['with the default order of series', { order_desc: true }],
    ['with flags that are off', { is_rowcount: false, apply_fetch_values_predicate: false }],
    ['with fewer rows', { row_limit: 5 }],
  ])('%s', (_, change) => expect(isSame(change)).toBe(true))
})

describe('a query is another one', () => {
  it.each<[string, QueryObject]>([
    ['with an empty time range', { time_range: '' }],
    ['with an empty time column', { granularity: '' }],
    ['on the first page, which has an order', { row_offset: 0 }],
    ['on the second page', { row_offset: 10 }],
    ['if it says that it is no time series', { is_timeseries: false }],
    ['without metrics, so that rows are not grouped', { metrics: null }],
    ['in ascending order of series', { order_desc: false }],
    ['without a limit', { row_limit: 0 }],
  ])('%s', (_, change) => expect(isSame(change)).toBe(false))
})

describe('a page is sorted', () => {
  const query: QueryObject = { columns: ['Origin', hiding], metrics: ['sum', count] }
  it.each([['Origin'], [hiding], ['sum'], [count]])('by its own %j', (by) => {
    expect(isSorted({ ...query, orderby: [[by, false]] })).toBe(true)
    expect(isSame({ orderby: [[by, false]], row_offset: 50 }, query, true)).toBe(true)
  })
  it.each([['Horsepower'], ['Name'], ['Year'], [{ ...hiding, sqlExpression: 'Horsepower' }]])('not by %j', (by) => {
    expect(isSorted({ ...query, orderby: [[by, false]] })).toBe(false)
    expect(isSame({ orderby: [[by, false]] }, query, true)).toBe(false)
  })
})
