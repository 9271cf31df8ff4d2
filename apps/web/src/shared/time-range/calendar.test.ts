import { expect, it } from 'vitest'
import { addDays, addMonths, listMonthDays, monthOf } from './calendar.ts'

it('moves days and months over the ends of months and years', () => {
  expect([addDays('2024-02-28', 1), addDays('2024-03-01', -1), addDays('2024-12-31', 1)]).toEqual([
    '2024-02-29',
    '2024-02-29',
    '2025-01-01',
  ])
  expect([addMonths('2024-12', 1), addMonths('2024-01', -1), addMonths('2024-05', 14)]).toEqual([
    '2025-01',
    '2023-12',
    '2025-07',
  ])
  expect(monthOf('2024-05-31')).toBe('2024-05')
})

it('lists the days of a month in weeks from Monday', () => {
  const september = listMonthDays('2024-09')
  expect(september.slice(0, 8)).toEqual([null, null, null, null, null, null, '2024-09-01', '2024-09-02'])
  expect(september.at(-1)).toBe('2024-09-30')
  expect(listMonthDays('2024-02')).toHaveLength(3 + 29)
})
