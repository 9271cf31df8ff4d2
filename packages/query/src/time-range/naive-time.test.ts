import { expect, it } from 'vitest'
import { formatLocalIso } from './naive-time.ts'

it('returns the wall clock of each zone, whatever was requested before', () => {
  const noon = Date.UTC(2024, 6, 1, 12, 0, 0, 7)
  expect(formatLocalIso(noon, 'UTC')).toBe('2024-07-01T12:00:00.007')
  expect(formatLocalIso(noon, 'Asia/Kolkata')).toBe('2024-07-01T17:30:00.007')
  expect(formatLocalIso(noon + 992, 'UTC')).toBe('2024-07-01T12:00:00.999')
  expect(formatLocalIso(noon + 993, 'UTC')).toBe('2024-07-01T12:00:01.000')
  expect(formatLocalIso(noon, 'UTC')).toBe('2024-07-01T12:00:00.007')
})

it('follows daylight saving time to the second', () => {
  const change = Date.UTC(2024, 2, 31, 1)
  expect(formatLocalIso(change - 1, 'Europe/Berlin')).toBe('2024-03-31T01:59:59.999')
  expect(formatLocalIso(change, 'Europe/Berlin')).toBe('2024-03-31T03:00:00.000')
})
