import { expect, it } from 'vitest'
import { cutRows } from './cut-rows.ts'

it('cuts after a row, whatever its strings contain', () => {
  const rows = [{ a: '},{"', b: { c: ['}]'] } }, { a: '\\', b: null }, { a: '"\\"', b: 1 }, {}]
  const text = Buffer.from(JSON.stringify(rows))
  for (let most = 0; most <= 5; most++) expect(JSON.parse(cutRows(text, most).toString())).toEqual(rows.slice(0, most))
  expect(cutRows(Buffer.from('[]'), 1).toString()).toBe('[]')
})
