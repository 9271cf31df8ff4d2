import { toRows } from '@parquetry/frame'
import { expect, it } from 'vitest'
import { parseJsonResult } from './parse-json-result.ts'

it('SQL-058: converts a JSON response to columns, with exact large integers', () => {
  const read = parseJsonResult(
    '{"query_id": 1, "columns": [{"name": "n"}, {"name": "t"}], "data": [{"n": 9007199254740993, "t": "x"}, {"n": null, "t": null}]}',
  )
  if (!('frame' in read)) throw new Error('no rows')
  expect(toRows(read.frame)).toEqual([
    { n: 9007199254740993n, t: 'x' },
    { n: null, t: null },
  ])
  expect(read.answer).toEqual({ query_id: 1, columns: [{ name: 'n' }, { name: 't' }] })
})

it('treats a response without rows as an asynchronous run', () => {
  expect(parseJsonResult('{"query": {"id": "abc"}}')).toEqual({ query: { id: 'abc' } })
})
