import { expect, it } from 'vitest'
import {
  fromScheduleInfo,
  newSchedule,
  readCron,
  readScheduleInfo,
  toCron,
  toScheduleInfo,
  withScheduleInfo,
  type Schedule,
} from './schedule.ts'

const now = new Date(2026, 4, 1, 9)

it('every schedule of the dialog is stored and read back unchanged', () => {
  for (const often of ['hour', 'day', 'weekday', 'week', 'month'] as const)
    for (const time of ['00:00', '06:30', '23:59']) {
      const schedule: Schedule = {
        ...newSchedule(now),
        often,
        time: often === 'hour' ? `00:${time.slice(3)}` : time,
        ...(often === 'week' && { weekday: 0 }),
        ...(often === 'month' && { day: 28 }),
        isPaused: time === '23:59',
      }
      expect(fromScheduleInfo(toScheduleInfo(schedule), now)).toEqual({ ...schedule, cron: toCron(schedule) })
    }
})

it('an expression of another client stays as it is', () => {
  for (const cron of ['*/5 * * * *', '0 6 1,15 * *', '0 6 31 * *', '0 24 * * *', '60 * * * *', '0 6 1 * 1', '@daily']) {
    expect(readCron(cron)).toEqual({ often: 'custom' })
    const info = { schedule_interval: cron, timezone: 'Europe/Berlin', start_date: null, end_date: null }
    expect(toScheduleInfo(fromScheduleInfo(info, now))).toEqual(info)
  }
})

it('a schedule is added to, changed in and removed from extra_json without touching other keys', () => {
  const info = { schedule_interval: '0 6 * * *', timezone: 'UTC' }
  const added = withScheduleInfo('{"other": 1}', info)
  expect(JSON.parse(added)).toEqual({ other: 1, schedule_info: info })
  expect(readScheduleInfo(added)).toEqual(info)
  expect(JSON.parse(withScheduleInfo(added, { ...info, is_paused: true }))).toMatchObject({
    other: 1,
    schedule_info: { is_paused: true },
  })
  expect(withScheduleInfo(added, null)).toBe('{"other":1}')
  for (const extra of [null, '', 'not JSON', '[]', '{"schedule_info": {"output_table": "t"}}'])
    expect(readScheduleInfo(extra)).toBeNull()
})
