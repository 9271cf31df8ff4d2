import { expect, it } from 'vitest'
import { isTimeFormat, parseTimeFormat } from './time-format.ts'

it('finds the parts of a format whose values sort as their times do', () => {
  expect(parseTimeFormat('%Y-%m-%d')).toEqual([
    { unit: 'year', at: 0, length: 4 },
    { unit: 'month', at: 5, length: 2 },
    { unit: 'day', at: 8, length: 2 },
  ])
  expect(parseTimeFormat('%Y%m%dT%H')?.at(-1)).toEqual({ unit: 'hour', at: 9, length: 2 })
  expect(parseTimeFormat('FY %Y')).toEqual([{ unit: 'year', at: 3, length: 4 }])
  expect(parseTimeFormat('%Y-%m-%d %H:%M:%S.%f')).toHaveLength(7)
})

it.each(['', 'foo', '%d/%m/%Y', '%m-%Y', '%Y-%d', '%y%m%d', '%Y-%m-%d %I %p', '%Y %Y', '%Y%', '%Y-%m-%d%z'])(
  'refuses the format “%s”',
  (format) => expect(isTimeFormat(format)).toBe(false),
)

it.each(['epoch_s', 'epoch_ms', '%Y', '%Y/%m', '%Y-%m-%dT%H:%M:%SZ'])('accepts the format %s', (format) =>
  expect(isTimeFormat(format)).toBe(true),
)
