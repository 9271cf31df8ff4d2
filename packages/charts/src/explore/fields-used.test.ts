import { describe, expect, it } from 'vitest'
import { loadChart } from '../registry.ts'
import { fieldsUsed, createMentionMatcher, renameFields } from './fields-used.ts'

const known = { columns: new Set(['region', 'day', 'amount', 'lat', 'lon']), metrics: new Set(['revenue', 'count']) }
const form = {
  viz_type: 'table',
  datasource: '1__table',
  groupby: ['region', { label: 'Initial', sqlExpression: 'left(region, 1)', expressionType: 'SQL' }],
  metrics: [
    'revenue',
    { expressionType: 'SIMPLE', column: { column_name: 'amount' }, aggregate: 'SUM', label: 'SUM(amount)' },
  ],
  adhoc_filters: [
    { expressionType: 'SIMPLE', subject: 'day', operator: 'TEMPORAL_RANGE', comparator: 'region', clause: 'WHERE' },
    { expressionType: 'SIMPLE', subject: 'revenue', operator: '>', comparator: '5', clause: 'HAVING' },
  ],
  order_by_cols: ['["day", false]'],
  column_config: { revenue: { d3NumberFormat: ',d' }, other: {} },
  color_scheme: 'region',
}

describe('fields that a chart uses', () => {
  it('DSET-018: finds columns and metrics wherever a form names them, but no lookalikes', async () => {
    const used = fieldsUsed(await loadChart('table'), form, known)
    expect(used.columns.toSorted()).toEqual(['amount', 'day', 'region'])
    expect(used.metrics).toEqual(['revenue'])
    expect(used.sql).toEqual(['left(region, 1)'])
  })
  it('reads the location columns of maps', async () => {
    const map = {
      viz_type: 'deck_scatter',
      spatial: { type: 'latlong', lonCol: 'lon', latCol: 'lat' },
      point_radius_fixed: { type: 'metric', value: 'count' },
    }
    const used = fieldsUsed(await loadChart('deck_scatter'), map, known)
    expect(used.columns.toSorted()).toEqual(['lat', 'lon'])
    expect(used.metrics).toEqual(['count'])
  })
  it('applies new names, and leaves labels, SQL, values and appearance unchanged', async () => {
    const renames = {
      columns: new Map([
        ['day', 'order_day'],
        ['region', 'area'],
        ['amount', 'sum'],
      ]),
      metrics: new Map([['revenue', 'sales']]),
    }
    const after = renameFields(await loadChart('table'), form, renames)
    expect(after).toEqual({
      ...form,
      groupby: ['area', form.groupby[1]],
      metrics: [
        'sales',
        { expressionType: 'SIMPLE', column: { column_name: 'sum' }, aggregate: 'SUM', label: 'SUM(amount)' },
      ],
      adhoc_filters: [
        { ...(form.adhoc_filters[0] as object), subject: 'order_day' },
        { ...(form.adhoc_filters[1] as object), subject: 'sales' },
      ],
      order_by_cols: ['["order_day", false]'],
      column_config: { sales: { d3NumberFormat: ',d' }, other: {} },
    })
  })
  it('leaves a form unchanged if none of its names was renamed', async () => {
    const renames = { columns: new Map([['lat', 'latitude']]), metrics: new Map<string, string>() }
    expect(JSON.stringify(renameFields(await loadChart('table'), form, renames))).toBe(JSON.stringify(form))
  })
  it('matches names in SQL as whole words, not in string literals', () => {
    const cases: [sql: string, name: string, is: boolean][] = [
      ['SUM("Order Date")', 'Order Date', true],
      ['SUM("Order  Date")', 'Order Date', false],
      ['SUM("My Order Date")', 'Order Date', true],
      ['SUM(Reorder Date)', 'order date', false],
      ['SUM(amount_net)', 'amount', false],
      ['SUM(amount_net) + Amount', 'amount', true],
      ["name = 'amount'", 'amount', false],
      ['a % b', '%', true],
      ['a + b', '', false],
    ]
    for (const [sql, name, is] of cases)
      expect([sql, name, createMentionMatcher(['1', sql])(name)]).toEqual([sql, name, is])
  })
})
