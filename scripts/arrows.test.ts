import { expect, it } from 'vitest'
import { parseArrows, findCycle } from './arrows.ts'

it('parses arrows: several in a line, for several names, and aliases', () => {
  const text = `
base = store http
http -> store            sql-lab   -> base chart
kv log  -> base          engines/x -> store
`
  expect(parseArrows(text)).toEqual({
    http: ['store'],
    'sql-lab': ['store', 'http', 'chart'],
    kv: ['store', 'http'],
    log: ['store', 'http'],
    'engines/x': ['store'],
  })
})

it('finds a cycle of two, of three and of one, and returns its path', () => {
  expect(findCycle({ a: ['b'], b: ['a'] })).toEqual(['a', 'b', 'a'])
  expect(findCycle({ top: ['a', 'b'], a: ['c'], b: ['c'], c: ['d'], d: ['b'] })).toEqual(['c', 'd', 'b', 'c'])
  expect(findCycle({ a: ['b'], b: ['b'] })).toEqual(['b', 'b'])
})

it('finds none where two paths lead to the same place', () => {
  expect(findCycle({ top: ['a', 'b'], a: ['c'], b: ['a', 'c'], c: [] })).toBeUndefined()
})
