import { expect, it } from 'vitest'
import { formatListedTime } from './listed-time.ts'

it('writes times of a list as filters read them', () => {
  expect([0, Date.UTC(2024, 1, 29, 13, 5), 1500].map(formatListedTime)).toEqual([
    '1970-01-01',
    '2024-02-29 13:05:00',
    '1970-01-01 00:00:01.500',
  ])
})
