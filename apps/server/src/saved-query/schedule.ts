import { message, type Message } from '@parquetry/model'
import { createRequire } from 'node:module'
import type { Cron as CronClass } from 'croner'

const load = createRequire(import.meta.url)

/** Schedule of a saved query: `schedule_info` of its `extra_json`, in the format of the API. */
export interface QuerySchedule {
  /** Cron expression with five fields, or `@daily` and the like. */
  schedule_interval: string
  /** IANA name; UTC by default. */
  timezone?: string
  /** ISO dates of the first and last moment. */
  start_date?: string | null
  end_date?: string | null
  /** No runs until the schedule is resumed. A Parquetry extension. */
  is_paused?: boolean
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const parseDate = (value: unknown): Date | null | undefined => {
  if (value === undefined || value === null || value === '') return null
  const date = typeof value === 'string' ? new Date(value) : new Date(Number.NaN)
  return Number.isNaN(date.getTime()) ? undefined : date
}

const createCron = (
  { schedule_interval, timezone = 'UTC' }: QuerySchedule,
  window: { startAt?: Date; stopAt?: Date } = {},
) => {
  const { Cron } = load('croner') as { Cron: typeof CronClass }
  return new Cron(schedule_interval, { mode: '5-part', timezone, paused: true, ...window })
}

/**
 * Problem with an `extra_json`; undefined when it is an object whose schedule, if any, is valid. Other keys belong to other
 * clients.
 */
export function validateExtra(text: string | null | undefined): Message | undefined {
  if (!text) return undefined
  let extra: unknown
  try {
    extra = JSON.parse(text)
  } catch {
    return message('errors.savedQuery.notJson', 'Must be valid JSON.')
  }
  if (!isObject(extra)) return message('errors.savedQuery.notObject', 'Must be a JSON object.')
  const schedule = extra['schedule_info']
  if (schedule === undefined || schedule === null) return undefined
  if (!isObject(schedule)) return message('errors.savedQuery.schedule', 'schedule_info must be an object.')
  const { schedule_interval, timezone, start_date, end_date, is_paused } = schedule
  // A custom form of the operator may have no interval: the query is saved, and another program runs it.
  if (schedule_interval === undefined) return undefined
  if (typeof schedule_interval !== 'string')
    return message('errors.savedQuery.interval', 'schedule_interval must be a string.')
  if (timezone !== undefined && typeof timezone !== 'string')
    return message('errors.savedQuery.timezone', 'timezone must be a string.')
  if (is_paused !== undefined && typeof is_paused !== 'boolean')
    return message('errors.savedQuery.paused', 'is_paused must be true or false.')
  const [start, end] = [parseDate(start_date), parseDate(end_date)]
  if (start === undefined) return message('errors.savedQuery.startDate', 'start_date must be a valid date and time.')
  if (end === undefined) return message('errors.savedQuery.endDate', 'end_date must be a valid date and time.')
  if (start && end && end < start)
    return message('errors.savedQuery.endBeforeStart', 'The end date must not be before the start date.')
  const hasRun = hasNextRun({ schedule_interval, ...(timezone !== undefined && { timezone }) })
  return hasRun
    ? undefined
    : message(
        'errors.savedQuery.neverRuns',
        'The schedule "{interval}" in the time zone "{timezone}" is not valid or never runs.',
        { interval: schedule_interval, timezone: timezone ?? 'UTC' },
      )
}

function hasNextRun(schedule: QuerySchedule): boolean {
  try {
    return createCron(schedule).nextRun(new Date()) !== null
  } catch {
    return false
  }
}

/** The schedule of an `extra_json`; null when it has none that we run. */
export function parseSchedule(text: string | null): QuerySchedule | null {
  if (!text || validateExtra(text) !== undefined) return null
  const { schedule_info } = JSON.parse(text) as { schedule_info?: QuerySchedule | null }
  return schedule_info && typeof schedule_info.schedule_interval === 'string' ? schedule_info : null
}

/** The first run after a given time; null when none is left, or while the schedule is paused. */
export function nextRun(schedule: QuerySchedule, after: Date): Date | null {
  if (schedule.is_paused === true) return null
  const [start, end] = [parseDate(schedule.start_date), parseDate(schedule.end_date)]
  // The start time itself counts as a run.
  const from = start && start > after ? new Date(start.getTime() - 1) : after
  const next = createCron(schedule).nextRun(from)
  return next && (!end || next <= end) ? next : null
}
