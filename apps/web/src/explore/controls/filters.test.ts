import { describe, expect, it } from 'vitest'
import type { ExploreDataset } from '../use-explore.ts'
import { findOperator, operators } from '../../shared/filter-operators.ts'
import {
  resolveOperatorId,
  adaptComparator,
  isMetricFilter,
  latestPartitionFilter,
  metricFilter,
  operatorsFor,
  findPartitionColumn,
  readComparator,
  simpleFilter,
  sqlFilter,
  formatAdhocFilter,
  type OperatorContext,
  type FilterSubject,
} from './filters.ts'

const operator = (id: string) => operators.find(({ operatorId }) => operatorId === id)

const column = (more: object): FilterSubject => ({
  kind: 'column',
  column: { column_name: 'a', type: 'VARCHAR', type_generic: 1, is_dttm: false, expression: null, ...more },
})
const revenue = { metric_name: 'revenue', expression: 'SUM(price)' }
const ids = (subject: FilterSubject, offer?: OperatorContext) =>
  operatorsFor(subject, offer).map(({ operatorId }) => operatorId)

describe('filters of a chart', () => {
  it('CTRL-081: offers the operators of the column type, a time range first for temporal columns', () => {
    expect(ids(column({ type_generic: 2, is_dttm: true }))[0]).toBe('TEMPORAL_RANGE')
    expect(ids(column({ type_generic: 0 }))).not.toContain('LIKE')
    expect(ids(column({ type_generic: 3 }))).toEqual(['IS_TRUE', 'IS_FALSE', 'IS_NULL', 'IS_NOT_NULL'])
  })

  it('CTRL-077: knows these operators', () => {
    expect(operators.map(({ operatorId }) => operatorId)).toEqual(
      expect.arrayContaining([
        'EQUALS',
        'GREATER_THAN',
        'GREATER_THAN_OR_EQUAL',
        'ILIKE',
        'IN',
        'IS_FALSE',
        'IS_NOT_NULL',
        'IS_NULL',
        'IS_TRUE',
        'LATEST_PARTITION',
        'LESS_THAN',
        'LESS_THAN_OR_EQUAL',
        'LIKE',
        'NOT_EQUALS',
        'NOT_IN',
        'REGEX',
        'TEMPORAL_RANGE',
      ]),
    )
  })

  it('CTRL-080: offers true and false for booleans, integers and expressions only', () => {
    const asksTruth = (more: object) => ids(column(more)).includes('IS_TRUE')
    expect(asksTruth({ type_generic: 3, type: 'BOOLEAN' })).toBe(true)
    for (const type of ['TINYINT', 'SMALLINT', 'INT', 'INTEGER', 'BIGINT', 'LONG', 'bigint'])
      expect(asksTruth({ type_generic: 0, type }), type).toBe(true)
    expect(asksTruth({ expression: "weather = 'sun'" })).toBe(true)
    for (const type of ['DOUBLE', 'DECIMAL(10, 2)', 'VARCHAR', null])
      expect(asksTruth({ type }), String(type)).toBe(false)
  })

  it('CTRL-065, CTRL-082: a metric filters groups, with comparison operators only', () => {
    expect(ids({ kind: 'metric', metric: revenue })).toEqual([
      'EQUALS',
      'NOT_EQUALS',
      'LESS_THAN',
      'LESS_THAN_OR_EQUAL',
      'GREATER_THAN',
      'GREATER_THAN_OR_EQUAL',
    ])
    const filter = metricFilter(revenue, operator('GREATER_THAN'), 100)!
    expect(filter).toMatchObject({ clause: 'HAVING', expressionType: 'SQL', sqlExpression: 'SUM(price) > 100' })
    expect(metricFilter(revenue, operator('NOT_EQUALS'), 1)?.sqlExpression).toBe('SUM(price) <> 1')
    expect(metricFilter(revenue, operator('EQUALS'), null)).toBeNull()
    const dataset = { metrics: [revenue] } as unknown as ExploreDataset
    expect(isMetricFilter(filter, dataset)).toBe(true)
    expect(isMetricFilter({ ...filter, sqlExpression: 'SUM(price) > 7' }, dataset)).toBe(false)
  })

  it('CTRL-066, CTRL-078: offers the latest partition only on the partition column, as SQL with a macro', () => {
    expect(ids(column({}), { partitionColumn: 'a' })).toContain('LATEST_PARTITION')
    expect(ids(column({}), { partitionColumn: 'b' })).not.toContain('LATEST_PARTITION')
    const table = { schema: 'web', table_name: 'visits', database: { backend: 'trino' } } as unknown as ExploreDataset
    const made = latestPartitionFilter({ column_name: 'ds', type: 'VARCHAR', type_generic: 1 }, table)
    expect(made).toMatchObject({
      expressionType: 'SQL',
      clause: 'WHERE',
      subject: 'ds',
      operatorId: 'LATEST_PARTITION',
    })
    expect(made.sqlExpression).toBe("ds = '{{ trino.latest_partition('web.visits') }}'")
    const day = latestPartitionFilter({ column_name: 'Day', type: 'DATE', type_generic: 2 }, table)
    expect(day.sqlExpression).toBe("Day = CAST('{{ trino.latest_partition('web.visits') }}' AS DATE)")
  })

  it('CTRL-090: returns no partition column when there are several', () => {
    expect(findPartitionColumn({ partitions: { cols: ['ds'] } })).toBe('ds')
    expect(findPartitionColumn({ partitions: { cols: ['ds', 'hour'] } })).toBeNull()
    expect(findPartitionColumn({ partitions: { cols: [] } })).toBeNull()
    expect(findPartitionColumn({})).toBeNull()
  })

  it('CTRL-063: replaces an operator that the new subject does not support with IN', () => {
    const text = operatorsFor(column({}))
    expect(resolveOperatorId('LIKE', text)).toBe('LIKE')
    expect(resolveOperatorId('GREATER_THAN', text)).toBe('IN')
    expect(resolveOperatorId('LIKE', operatorsFor(column({ type_generic: 0 })))).toBe('IN')
    expect(resolveOperatorId('LIKE', operatorsFor(column({ type_generic: 3 })))).toBe('IS_TRUE')
    expect(resolveOperatorId(null, operatorsFor(column({ type_generic: 2, is_dttm: true })))).toBe('TEMPORAL_RANGE')
  })

  it('CTRL-086: offers only the operators that the server reports for an advanced data type', () => {
    expect(ids(column({ type_generic: 0 }), { advanced: ['EQUALS', 'IN'] })).toEqual(['EQUALS', 'IN'])
  })

  it('CTRL-073, CTRL-075: is complete only with a column, an operator and the value that it requires', () => {
    expect(simpleFilter(null, operator('EQUALS'), 1)).toBeNull()
    expect(simpleFilter('a', operator('EQUALS'), '')).toBeNull()
    expect(simpleFilter('a', operator('EQUALS'), 0)).toMatchObject({ comparator: 0, operator: '==' })
    expect(simpleFilter('a', operator('IN'), [])).toBeNull()
    expect(simpleFilter('a', operator('IS_NULL'), 'left over')).toMatchObject({ comparator: null })
  })

  it('CTRL-070, CTRL-074: sends "is true" as equals true, and recognizes it again', () => {
    const filter = simpleFilter('late', operator('IS_TRUE'), null)
    expect(filter).toMatchObject({ operator: '==', comparator: true })
    expect(filter && findOperator(filter)?.label).toBe('is true')
  })

  it('regression: stores contains, starts with and ends with as patterns of LIKE, and recognizes them again', () => {
    for (const [id, stored] of [
      ['CONTAINS', { operator: 'LIKE', operatorId: 'LIKE', comparator: '%5\\%%' }],
      ['CONTAINS_ANY_CASE', { operator: 'ILIKE', operatorId: 'ILIKE', comparator: '%5\\%%' }],
      ['NOT_CONTAINS', { operator: 'NOT LIKE', operatorId: 'NOT_LIKE', comparator: '%5\\%%' }],
      ['STARTS_WITH', { operator: 'LIKE', operatorId: 'LIKE', comparator: '5\\%%' }],
      ['ENDS_WITH', { operator: 'LIKE', operatorId: 'LIKE', comparator: '%5\\%' }],
    ] as const) {
      const filter = simpleFilter('rate', operator(id), '5%')!
      expect(filter).toMatchObject({ expressionType: 'SIMPLE', ...stored })
      expect([findOperator(filter)?.operatorId, readComparator(filter)]).toEqual([id, '5%'])
      expect(formatAdhocFilter(filter, {})).toBe(`rate ${operator(id)?.label} '5%'`)
      expect(simpleFilter('rate', findOperator(filter), readComparator(filter), filter)).toEqual(filter)
    }
    const like = simpleFilter('rate', operator('LIKE'), '5_%')!
    expect([findOperator(like)?.operatorId, readComparator(like)]).toEqual(['LIKE', '5_%'])
  })

  it('regression: offers regular expressions on the engines that have them', () => {
    for (const [backend, offered] of [
      ['postgresql', true],
      ['sqlite', false],
    ] as const)
      expect(ids(column({}), { backend }).includes('NOT_REGEX')).toBe(offered)
  })

  it('regression: text that equals the sign for null is text, and a stored filter keeps its meaning', () => {
    const filter = simpleFilter('Origin', operator('IN'), ['<NULL>', ''])!
    expect(filter).toMatchObject({ isExact: true, comparator: ['<NULL>', ''] })
    expect(formatAdhocFilter(filter, {})).toBe("Origin is one of '<NULL>', ''")
    expect(readComparator(filter)).toEqual(['<NULL>', ''])
    const stored = { ...filter, operator: '==', operatorId: 'EQUALS', comparator: '<NULL>', isExact: undefined }
    expect(simpleFilter('Origin', operator('EQUALS'), '<NULL>', stored)).not.toHaveProperty('isExact', true)
  })

  it('regression: a number keeps every typed digit in its pill and in the condition on a metric', () => {
    const filter = simpleFilter('id', operator('EQUALS'), '9007199254740995')!
    expect(formatAdhocFilter(filter, {})).toBe('id equals 9007199254740995')
    const having = metricFilter({ metric_name: 'n', expression: 'SUM(n)' }, operator('EQUALS'), '9007199254740995')
    expect(having?.sqlExpression).toBe('SUM(n) = 9007199254740995')
  })

  it('regression: shows null in a filter as everywhere else', () => {
    const filter = simpleFilter('Origin', operator('IN'), ['a', null])!
    expect(formatAdhocFilter(filter, {})).toBe("Origin is one of 'a', ∅")
    const stored = { ...filter, comparator: ['a', '<NULL>'] }
    expect(formatAdhocFilter(stored, {})).toBe("Origin is one of 'a', ∅")
    expect(readComparator(stored)).toEqual(['a', null])
    expect(formatAdhocFilter({ ...filter, comparator: ['a', null] }, {})).toBe("Origin is one of 'a', ∅")
  })

  it('preserves keys of other tools', () => {
    const before = { ...sqlFilter('a > 1', 'WHERE'), isExtra: true, datasourceWarning: false }
    expect(simpleFilter('a', operator('IN'), ['x'], before)).toMatchObject({
      isExtra: true,
      datasourceWarning: false,
      filterOptionName: before.filterOptionName,
    })
  })

  it('describes a filter as text', () => {
    expect(formatAdhocFilter(simpleFilter('origin', operator('IN'), ['SEA', 'JFK'])!, { origin: 'From' })).toBe(
      "From is one of 'SEA', 'JFK'",
    )
    expect(formatAdhocFilter(sqlFilter('delay > 60', 'WHERE'), {})).toBe('delay > 60')
  })

  it('CTRL-061, CTRL-064, CTRL-068: choosing a column makes it a simple row filter', () => {
    const before = sqlFilter('sum(delay) > 1', 'HAVING')
    expect(simpleFilter('delay', operator('GREATER_THAN'), 60, before)).toEqual({
      expressionType: 'SIMPLE',
      subject: 'delay',
      clause: 'WHERE',
      operator: '>',
      operatorId: 'GREATER_THAN',
      comparator: 60,
      sqlExpression: null,
      filterOptionName: before.filterOptionName,
    })
  })

  it('CTRL-071, CTRL-072, CTRL-076: text and clause make it a SQL filter', () => {
    const before = simpleFilter('a', operator('EQUALS'), 1) ?? undefined
    expect(sqlFilter('sum(a) > 1', 'HAVING', before)).toMatchObject({
      expressionType: 'SQL',
      clause: 'HAVING',
      sqlExpression: 'sum(a) > 1',
      subject: null,
      comparator: null,
    })
  })

  it('CTRL-069: changing the operator converts a list to its first value, and a value to a list', () => {
    expect(adaptComparator(['a', 'b'], operator('EQUALS'))).toBe('a')
    expect(adaptComparator([], operator('EQUALS'))).toBeNull()
    expect(adaptComparator('a', operator('IN'))).toEqual(['a'])
  })
})
