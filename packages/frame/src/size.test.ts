import { expect, it } from 'vitest'
import { byteCounter, frameOf } from './index.ts'

it('counts numbers, texts and codes, and shared words once', () => {
  const count = byteCounter()
  expect(count(frameOf({ n: [1.5, 2.5] }))).toBe(16)
  const words = frameOf({ t: ['ab', 'ab', 'ab', 'ab'] })
  const text = 4 + 2 + 8
  expect(count(words)).toBe(16 + text)
  expect(count(words)).toBe(16 + text + 4)
  expect(count(frameOf({ t: ['a', 'bc', 'd'] }))).toBe(16 + text + 4 + 4 + 16)
})
