import { describe, expect, it } from 'vitest'
import { describeCrontab } from './describe-crontab.ts'
import { findNextRun, findPreviousRun, isCrontab, isTimeZone, listNextRuns, shortestGap } from './schedule.ts'

const next = (crontab: string, timezone: string, after: string, count: number) =>
  listNextRuns({ crontab, timezone }, new Date(after), count).map((time) => time.toISOString().slice(0, 16))

describe('when the clock of Berlin is set forward, at 02:00 on 29 March 2026', () => {
  it('a time that does not exist is due at the change, and the next day as usual', () => {
    expect(next('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T01:00',
      '2026-03-30T00:30',
    ])
  })

  it('several times that do not exist are due once', () => {
    expect(next('0,30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T01:00',
      '2026-03-30T00:00',
    ])
  })

  it('a schedule of every half hour goes on', () => {
    expect(next('*/30 * * * *', 'Europe/Berlin', '2026-03-29T00:00:00Z', 3)).toEqual([
      '2026-03-29T00:30',
      '2026-03-29T01:00',
      '2026-03-29T01:30',
    ])
  })
})

describe('when the clock of Berlin is set back, at 03:00 on 25 October 2026', () => {
  it('a time that exists twice is due once', () => {
    expect(next('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ])
    expect(next('0,30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 3)).toEqual([
      '2026-10-25T00:00',
      '2026-10-25T00:30',
      '2026-10-26T01:00',
    ])
  })

  it('asked during the second of the two hours, it is not due again', () => {
    const after = new Date('2026-10-25T01:10:00Z')
    expect(findNextRun({ crontab: '30 2 * * *', timezone: 'Europe/Berlin' }, after)?.toISOString()).toBe(
      '2026-10-26T01:30:00.000Z',
    )
  })

  it('a schedule of every hour goes through both hours', () => {
    expect(next('0 * * * *', 'Europe/Berlin', '2026-10-24T23:30:00Z', 3)).toEqual([
      '2026-10-25T00:00',
      '2026-10-25T01:00',
      '2026-10-25T02:00',
    ])
  })
})

it('uses the time zone, also one with half an hour', () => {
  expect(next('0 9 * * 1-5', 'Asia/Kolkata', '2026-01-02T12:00:00Z', 2)).toEqual([
    '2026-01-05T03:30',
    '2026-01-06T03:30',
  ])
})

it('excludes the given time in both directions', () => {
  const schedule = { crontab: '0 9 * * *', timezone: 'UTC' }
  const at = new Date('2026-01-02T09:00:00Z')
  expect(findNextRun(schedule, at)?.toISOString()).toBe('2026-01-03T09:00:00.000Z')
  expect(findPreviousRun(schedule, at)?.toISOString()).toBe('2026-01-01T09:00:00.000Z')
})

it('knows schedules that never fire', () => {
  expect(findNextRun({ crontab: '0 0 31 2,4 *', timezone: 'UTC' }, new Date('2026-01-01'))).toBeNull()
  expect(findNextRun({ crontab: '0 0 29 2 *', timezone: 'UTC' }, new Date('2026-03-01'))?.getUTCFullYear()).toBe(2028)
})

it('accepts five fields and names for them', () => {
  for (const text of ['* * * * *', ' 0  9 * * MON ', '@daily', '@Hourly', '0 9 L * *', '0 9 * * 5#3', '0 9 * * 7'])
    expect(isCrontab(text), text).toBe(true)
  for (const text of ['', 'x', '* *', '* * * * * *', '60 * * * *', '0 9 * * 8', '@reboot', '0 9 * * 1; rm'])
    expect(isCrontab(text), text).toBe(false)
})

it('accepts names of time zones and no offsets', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'europe/berlin', 'US/Pacific', 'Etc/GMT+5'])
    expect(isTimeZone(name), name).toBe(true)
  for (const name of ['', 'x', '+02:00', 'Europe/Nowhere', 'Local']) expect(isTimeZone(name), name).toBe(false)
})

it.each([
  ['* * * * *', 1],
  ['*/5 * * * *', 5],
  ['0 * * * *', 60],
  ['0,4 0 1 1 *', 4],
  ['58,0 0,23 * * *', 2],
  ['0,59 0,23 * * 1', 59],
  ['0,59 0,23 * * 1,2', 1],
  ['0 9 * * *', 24 * 60],
  ['0 9 * * 1', 7 * 24 * 60],
  ['0 9 1 * *', 28 * 24 * 60],
  ['0 9 28,1 * *', 24 * 60],
  ['0 0 29 2 *', (4 * 365 + 1) * 24 * 60],
  ['@hourly', 60],
])('the runs of %s are at least %d minutes apart', (crontab, minutes) => {
  expect(shortestGap(crontab, Number.POSITIVE_INFINITY) / 60).toBe(minutes)
})

it('describes a schedule in the language of the server', () => {
  expect(describeCrontab('0 9 * * 1', 'en')).toBe('At 09:00 AM, only on Monday')
  expect(describeCrontab('0 9 * * 1', 'de')).toBe('Um 09:00, nur jeden Montag')
  expect(describeCrontab('0 9 * * 1', 'xx')).toBe('At 09:00 AM, only on Monday')
  expect(describeCrontab('0 9 * * 1', 'pt-BR')).toContain('segunda-feira')
})
