import { expect, it } from 'vitest'
import { timestampHoursAgo, formatElapsed } from './times.ts'

it('formats the duration of a query in seconds and minutes', () => {
  expect(formatElapsed('1000', 1250)).toBe('0.25 s')
  expect(formatElapsed(0, 72_000)).toBe('1 min 12 s')
  expect(formatElapsed(1000, null)).toBe('')
})

it('the start of the time window is stable for a minute', () => {
  expect(timestampHoursAgo(1, 3_660_059)).toBe(timestampHoursAgo(1, 3_660_001))
  expect(timestampHoursAgo(1, 3_660_000)).toBe(60_000)
})
