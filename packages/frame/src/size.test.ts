import { expect, it } from 'vitest'
import { createByteCounter, buildFrame } from './index.ts'

it('counts numbers, strings and codes, and shared words only once', () => {
  const count = createByteCounter()
  expect(count(buildFrame({ n: [1.5, 2.5] }))).toBe(16)
  const words = buildFrame({ t: ['ab', 'ab', 'ab', 'ab'] })
  const text = 4 + 2 + 8
  expect(count(words)).toBe(16 + text)
  expect(count(words)).toBe(16 + text + 4)
  expect(count(buildFrame({ t: ['a', 'bc', 'd'] }))).toBe(16 + text + 4 + 4 + 16)
})
