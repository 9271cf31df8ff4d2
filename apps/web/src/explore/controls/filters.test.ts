import { describe, expect, it } from 'vitest'
import { fitting, operatorOf, operators, operatorsFor, simpleFilter, sqlFilter, wordsOfFilter } from './filters.ts'

const operator = (id: string) => operators.find(({ operatorId }) => operatorId === id)

describe('filters of a chart', () => {
  it('CTRL-081: offers the operators that a column can be asked with, a time range first for times', () => {
    expect(operatorsFor({ type_generic: 2, is_dttm: true })[0]?.operatorId).toBe('TEMPORAL_RANGE')
    expect(operatorsFor({ type_generic: 0, is_dttm: false }).some(({ operatorId }) => operatorId === 'LIKE')).toBe(
      false,
    )
    expect(operatorsFor({ type_generic: 3, is_dttm: false }).map(({ operatorId }) => operatorId)).toEqual([
      'IS_TRUE',
      'IS_FALSE',
      'IS_NULL',
      'IS_NOT_NULL',
    ])
  })

  it('CTRL-073, CTRL-075: is finished only with column, operator and the value that the operator needs', () => {
    expect(simpleFilter(null, operator('EQUALS'), 1)).toBeNull()
    expect(simpleFilter('a', operator('EQUALS'), '')).toBeNull()
    expect(simpleFilter('a', operator('EQUALS'), 0)).toMatchObject({ comparator: 0, operator: '==' })
    expect(simpleFilter('a', operator('IN'), [])).toBeNull()
    expect(simpleFilter('a', operator('IS_NULL'), 'left over')).toMatchObject({ comparator: null })
  })

  it('CTRL-070, CTRL-074: sends "is true" as equals true, and finds it again', () => {
    const filter = simpleFilter('late', operator('IS_TRUE'), null)
    expect(filter).toMatchObject({ operator: '==', comparator: true })
    expect(filter && operatorOf(filter)?.words).toBe('is true')
  })

  it('regression: a filter by null reads as null does everywhere', () => {
    const filter = simpleFilter('Origin', operator('IN'), ['a', '<NULL>'])!
    expect(wordsOfFilter(filter, {})).toBe("Origin is one of 'a', ∅")
    expect(wordsOfFilter({ ...filter, comparator: ['a', null] }, {})).toBe("Origin is one of 'a', ∅")
  })

  it('keeps what other tools put into a filter', () => {
    const before = { ...sqlFilter('a > 1', 'WHERE'), isExtra: true, datasourceWarning: false }
    expect(simpleFilter('a', operator('IN'), ['x'], before)).toMatchObject({
      isExtra: true,
      datasourceWarning: false,
      filterOptionName: before.filterOptionName,
    })
  })

  it('reads as a sentence', () => {
    expect(wordsOfFilter(simpleFilter('origin', operator('IN'), ['SEA', 'JFK'])!, { origin: 'From' })).toBe(
      "From is one of 'SEA', 'JFK'",
    )
    expect(wordsOfFilter(sqlFilter('delay > 60', 'WHERE'), {})).toBe('delay > 60')
  })

  it('CTRL-061, CTRL-064, CTRL-068: a column makes it a simple filter of rows', () => {
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

  it('CTRL-071, CTRL-072, CTRL-076: text and clause make it a filter of SQL', () => {
    const before = simpleFilter('a', operator('EQUALS'), 1) ?? undefined
    expect(sqlFilter('sum(a) > 1', 'HAVING', before)).toMatchObject({
      expressionType: 'SQL',
      clause: 'HAVING',
      sqlExpression: 'sum(a) > 1',
      subject: null,
      comparator: null,
    })
  })

  it('CTRL-069: another operator turns a list into its first value, and a value into a list', () => {
    expect(fitting(['a', 'b'], operator('EQUALS'))).toBe('a')
    expect(fitting([], operator('EQUALS'))).toBeNull()
    expect(fitting('a', operator('IN'))).toEqual(['a'])
  })
})
