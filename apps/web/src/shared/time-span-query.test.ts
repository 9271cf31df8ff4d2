import { expect, it } from 'vitest'
import { readTimeSpan } from './time-span-query.ts'

it('reads a span with ends in milliseconds or text, and none without both ends', () => {
  const span = { from: Date.UTC(2023, 0, 1), to: Date.UTC(2025, 0, 1) }
  expect(readTimeSpan(span)).toEqual(span)
  expect(readTimeSpan({ from: '2023-01-01T00:00:00', to: '2025-01-01 00:00:00' })).toEqual(span)
  expect(readTimeSpan({ ...span, distinct: 24 })).toEqual({ ...span, distinct: 24 })
  expect(readTimeSpan({ from: null, to: null })).toBe(null)
  expect(readTimeSpan({ from: span.from, to: span.from })).toBe(null)
  expect(readTimeSpan({ from: 'once', to: 'now' })).toBe(null)
  expect(readTimeSpan(undefined)).toBe(null)
})
