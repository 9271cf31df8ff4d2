import { expect, it } from 'vitest'
import { ago } from './humanize.ts'

it.each([
  ['2026-01-31T10:00:00.000', 'now'],
  ['2026-01-31T09:59:58.500', 'a second ago'],
  ['2026-01-31T09:59:15.000', '45 seconds ago'],
  ['2026-01-31T09:58:30.000', 'a minute ago'],
  ['2026-01-31T08:30:00.000', 'an hour ago'],
  ['2026-01-29T08:30:00.000', '2 days ago'],
  ['2025-12-25T00:00:00.000', 'a month ago'],
  ['2023-01-31T00:00:00.000', '3 years ago'],
  ['2026-01-31T10:00:05.000', 'now'],
])('%s is %s', (time, text) => {
  expect(ago(time, new Date('2026-01-31T10:00:00Z'))).toBe(text)
})
