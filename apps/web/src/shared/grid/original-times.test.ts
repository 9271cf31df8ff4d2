import { expect, it } from 'vitest'
import { storeOriginalTime, readOriginalTimes } from './original-times.ts'

function memory(kept: Record<string, string> = {}): Storage {
  const map = new Map(Object.entries(kept))
  return {
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
    removeItem: (key: string) => void map.delete(key),
    get length() {
      return map.size
    },
  } as Storage
}

it('CONST-030: the browser stores, per dataset, the times shown unformatted', () => {
  const storage = memory()
  const chosen = storeOriginalTime('12__table', new Set(), 'sold', true, storage)
  expect([...readOriginalTimes('12__table', storage)]).toEqual(['sold'])
  expect([...readOriginalTimes('13__table', storage)]).toEqual([])
  storeOriginalTime('12__table', chosen, 'sold', false, storage)
  expect(storage.length).toBe(0)
})

it('ignores stored values that cannot be read', () => {
  expect([...readOriginalTimes('1', memory({ 'parquetry.originalTimes.1': '{' }))]).toEqual([])
  expect([...readOriginalTimes('1', memory({ 'parquetry.originalTimes.1': '{"a":1}' }))]).toEqual([])
})

it('stores nothing for results without a name', () => {
  const storage = memory()
  expect([...storeOriginalTime(undefined, new Set(), 'sold', true, storage)]).toEqual(['sold'])
  expect(storage.length).toBe(0)
})
