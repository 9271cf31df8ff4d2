import { describe, expect, it } from 'vitest'
import type { InspectedStatement } from '@parquetry/model'
import { applyRowLimit } from './row-limit.ts'

const streamedFrom = 1000

/** Returns the inspection of a statement whose limit, if any, is the number after LIMIT. */
function inspected(sql: string): InspectedStatement {
  const limit = /LIMIT (\d+)(?![\s\S]*LIMIT)/.exec(sql)
  const start = limit ? limit.index + 'LIMIT '.length : 0
  return {
    span: [0, sql.length],
    kind: 'select',
    readOnly: true,
    tables: [],
    functions: [],
    tableFunctions: [],
    ownLimit: limit ? Number(limit[1]) : null,
    limitSpan: limit ? [start, start + limit[1]!.length] : null,
    hasOrder: sql.includes('ORDER BY'),
    takesLimit: !limit,
  }
}

const stopped = (sql: string, rows: number) => applyRowLimit(sql, inspected(sql), rows, streamedFrom)

describe('a streamed text', () => {
  it('loses the limit at its end, and reading ends there', () => {
    expect(stopped('SELECT i FROM t LIMIT 2000', 2000)).toEqual({ text: 'SELECT i FROM t ', after: 2000 })
    expect(stopped('SELECT i FROM t LIMIT 2000; -- all', 5000)).toEqual({ text: 'SELECT i FROM t ', after: 2000 })
    expect(stopped('SELECT i FROM t', 2000)).toEqual({ text: 'SELECT i FROM t', after: null })
  })

  it('is cut only by the reader when it requests more than it may have', () => {
    expect(stopped('SELECT i FROM t LIMIT 5000', 2000)).toEqual({ text: 'SELECT i FROM t ', after: null })
  })

  it.each([
    ['SELECT i FROM t ORDER BY i LIMIT 2000'],
    ['SELECT i FROM t LIMIT 2000 OFFSET 10'],
    ['SELECT i FROM t OFFSET 10 LIMIT 2000'],
    ['(SELECT i FROM t LIMIT 2000)'],
    ['SELECT i FROM t LIMIT 1000'],
  ])('keeps a limit that the engine benefits from, or that is not the last word: %s', (sql) => {
    expect(stopped(sql, 3000)).toEqual({ text: sql, after: null })
  })
})

it('a shorter one keeps its limit', () => {
  expect(stopped('SELECT i FROM t', 1000)).toEqual({ text: 'SELECT i FROM t\nLIMIT 1001', after: null })
  expect(stopped('SELECT i FROM t LIMIT 5000', 1000)).toEqual({ text: 'SELECT i FROM t LIMIT 1001', after: null })
})
