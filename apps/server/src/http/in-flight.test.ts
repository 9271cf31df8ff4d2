import { expect, it } from 'vitest'
import { InFlight } from './in-flight.ts'

it('holds what was added and not removed, in whatever order it is removed', () => {
  const calls = new InFlight<string>()
  const [endA, endB, endC, endD] = ['a', 'b', 'c', 'd'].map((name) => calls.add(name))
  const left = () => [...calls].toSorted()
  endB!()
  expect(left()).toEqual(['a', 'c', 'd'])
  endD!()
  const endE = calls.add('e')
  endA!()
  expect(left()).toEqual(['c', 'e'])
  endC!()
  endE()
  expect(left()).toEqual([])
})

it('may change while it is read', () => {
  const calls = new InFlight<number>()
  const ends = [1, 2, 3].map((each) => calls.add(each))
  const read = []
  for (const each of calls) {
    read.push(each)
    ends[each - 1]!()
  }
  expect([read, [...calls]]).toEqual([[1, 2, 3], []])
})
