import { rowsOf } from '@parquetry/frame'
import { expect, it } from 'vitest'
import { readAnswer } from './read-answer.ts'

it('SQL-058: an answer as JSON becomes columns, with large integers exact', () => {
  const read = readAnswer(
    '{"query_id": 1, "columns": [{"name": "n"}, {"name": "t"}], "data": [{"n": 9007199254740993, "t": "x"}, {"n": null, "t": null}]}',
  )
  if (!('frame' in read)) throw new Error('no rows')
  expect(rowsOf(read.frame)).toEqual([
    { n: 9007199254740993n, t: 'x' },
    { n: null, t: null },
  ])
  expect(read.answer).toEqual({ query_id: 1, columns: [{ name: 'n' }, { name: 't' }] })
})

it('an answer without rows is a run that goes on behind', () => {
  expect(readAnswer('{"query": {"id": "abc"}}')).toEqual({ query: { id: 'abc' } })
})
