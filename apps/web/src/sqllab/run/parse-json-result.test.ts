import { toRows } from '@parquetry/frame'
import { expect, it } from 'vitest'
import { parseJsonResult } from './parse-json-result.ts'

it('SQL-058: an answer as JSON becomes columns, with large integers exact', () => {
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

it('an answer without rows is a run that goes on behind', () => {
  expect(parseJsonResult('{"query": {"id": "abc"}}')).toEqual({ query: { id: 'abc' } })
})
