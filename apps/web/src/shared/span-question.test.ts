import { expect, it } from 'vitest'
import { spanIn } from './span-question.ts'

it('reads a span whose ends are milliseconds or texts, and none without both', () => {
  const span = { from: Date.UTC(2023, 0, 1), to: Date.UTC(2025, 0, 1) }
  expect(spanIn(span)).toEqual(span)
  expect(spanIn({ from: '2023-01-01T00:00:00', to: '2025-01-01 00:00:00' })).toEqual(span)
  expect(spanIn({ from: null, to: null })).toBe(null)
  expect(spanIn({ from: span.from, to: span.from })).toBe(null)
  expect(spanIn({ from: 'once', to: 'now' })).toBe(null)
  expect(spanIn(undefined)).toBe(null)
})
