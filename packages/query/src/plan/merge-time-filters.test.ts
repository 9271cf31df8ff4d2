import type { QueryObject } from '@parquetry/model'
import { describe, expect, it } from 'vitest'
import type { RestrictedQuery } from '../row-level-security.ts'
import { mergeTimeFilters } from './merge-time-filters.ts'

const time = { isTemporal: (name: string) => ['ordered', 'shipped', 'paid'].includes(name), main: 'ordered' }
const axis = (column: string) => ({
  sqlExpression: column,
  label: column,
  columnType: 'BASE_AXIS' as const,
  expressionType: 'SQL' as const,
})
const range = (col: string, val = 'No filter') => ({ col, op: 'TEMPORAL_RANGE', val })
const merged = (query: QueryObject, form: Record<string, unknown> | null = null) =>
  mergeTimeFilters(query as RestrictedQuery, time, form)
/** A query under the time filter of a dashboard. */
const filtered = (query: QueryObject, form: Record<string, unknown> | null = null) =>
  merged({ ...query, time_range: '2024', applied_time_extras: { __time_range: '2024' } }, form)

describe('the time filter of a dashboard', () => {
  it('replaces the range on the x-axis and leaves the range on another column alone', () => {
    const filters = [range('ordered', 'Last week'), range('shipped', '2023')]
    expect(filtered({ columns: [axis('ordered')], filters }).filters).toEqual([
      range('ordered', '2024'),
      range('shipped', '2023'),
    ])
  })
  it('reaches an x-axis without a range of its own', () => {
    expect(filtered({ columns: [axis('ordered')] }).filters).toEqual([range('ordered', '2024')])
    expect(filtered({ columns: [axis('ordered')], filters: [range('shipped', '2023')] }).filters).toEqual([
      range('shipped', '2023'),
      range('ordered', '2024'),
    ])
  })
  it('reaches the rows and the total of a chart, which are queried without its x-axis', () => {
    expect(filtered({ columns: [] }, { x_axis: 'ordered' }).filters).toEqual([range('ordered', '2024')])
  })
  it('does not add a range to an axis that is not a time', () => {
    expect(filtered({ columns: [axis('region')] }).filters ?? []).toEqual([])
    expect(filtered({ columns: [axis('region')], filters: [range('shipped')] }).filters).toEqual([
      range('shipped', '2024'),
    ])
  })
  it('without a time axis, replaces one range: that on the main time column, else the first', () => {
    const filters = [range('shipped', '2023'), range('ordered'), range('paid')]
    expect(filtered({ filters }).filters).toEqual([range('shipped', '2023'), range('ordered', '2024'), range('paid')])
    expect(filtered({ filters: [range('shipped'), range('paid', '2023')] }).filters).toEqual([
      range('shipped', '2024'),
      range('paid', '2023'),
    ])
  })
  it('applies to the time column of a chart with granularity, and to nothing else', () => {
    const { filters, time_range } = filtered({ granularity: 'ordered', filters: [range('shipped', '2023')] })
    expect({ filters, time_range }).toEqual({ filters: [range('shipped', '2023')], time_range: '2024' })
    expect(filtered({ granularity: 'ordered', filters: [range('ordered', '2023')] }).filters).toEqual([])
  })
  it('applies to the time column that a dashboard chooses', () => {
    const extras = { __time_range: '2024', __time_col: 'paid' }
    const { columns, filters } = merged(
      {
        columns: [axis('ordered')],
        granularity: 'paid',
        filters: [range('ordered'), range('shipped', '2023')],
        time_range: '2024',
        applied_time_extras: extras,
      },
      { x_axis: 'ordered' },
    )
    expect(columns).toMatchObject([{ sqlExpression: 'paid' }])
    expect(filters).toEqual([range('shipped', '2023')])
  })
})

it('a time range that does not come from a dashboard replaces all ranges, as in the API', () => {
  const filters = [range('ordered'), range('shipped', '2023')]
  expect(merged({ columns: [axis('ordered')], filters, time_range: '2024' }).filters).toEqual([
    range('ordered', '2024'),
    range('shipped', '2024'),
  ])
})

it('an empty time range is none: it keeps the range of the filter on the time column', () => {
  const query = { granularity: 'ordered', filters: [range('ordered', '2023')] }
  expect(merged({ ...query, time_range: '' })).toMatchObject({ filters: [], time_range: '2023' })
  expect(merged({ ...query, time_range: null })).toMatchObject({ filters: [], time_range: '2023' })
})
