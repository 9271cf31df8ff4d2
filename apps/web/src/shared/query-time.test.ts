import { expect, it } from 'vitest'
import { formatQueryTime } from './query-time.ts'

it('TIME-028: bounds of a time range are shown as YYYY-MM-DD T HH:mm:ss UTC', () => {
  expect(formatQueryTime(Date.UTC(2026, 0, 2, 3, 4, 5, 678))).toBe('2026-01-02 T 03:04:05 UTC')
  expect(formatQueryTime(Date.UTC(1969, 11, 31))).toBe('1969-12-31 T 00:00:00 UTC')
})
