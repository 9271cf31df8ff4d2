/** How often a query runs; `custom` is a cron expression that another client wrote. */
export type Frequency = 'hour' | 'day' | 'weekday' | 'week' | 'month' | 'custom'

/** `schedule_info` in the `extra_json` of a saved query, in the format of the API. */
export interface ScheduleInfo {
  /** Cron expression with five fields. */
  schedule_interval: string
  /** IANA name; UTC by default. */
  timezone?: string
  /** ISO times of the first and last moment. */
  start_date?: string | null
  end_date?: string | null
  /** No runs until the schedule is resumed. */
  is_paused?: boolean
}

/** Form state of a schedule. */
export interface Schedule {
  /** `YYYY-MM-DD`; empty for no limit. */
  start: string
  end: string
  often: Frequency
  /** `HH:MM` in the time zone. */
  time: string
  /** 0 for Sunday to 6. */
  weekday: number
  /** 1 to 28. */
  day: number
  cron: string
  timezone: string
  isPaused: boolean
}

const two = (value: number): string => String(value).padStart(2, '0')
const formatDay = (date: Date): string => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`

/** Every day at six for a month from now on, in the time zone of the browser. */
export function newSchedule(now: Date): Schedule {
  const end = new Date(now.getFullYear(), now.getMonth() + 1, now.getDate())
  return {
    start: formatDay(now),
    end: formatDay(end),
    often: 'day',
    time: '06:00',
    weekday: 1,
    day: 1,
    cron: '0 6 * * *',
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    isPaused: false,
  }
}

/** Converts the schedule to a cron expression, minute to weekday. */
export function toCron({
  often,
  time,
  weekday,
  day,
  cron,
}: Pick<Schedule, 'often' | 'time' | 'weekday' | 'day' | 'cron'>): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  switch (often) {
    case 'hour':
      return `${minute} * * * *`
    case 'day':
      return `${minute} ${hour} * * *`
    case 'weekday':
      return `${minute} ${hour} * * 1-5`
    case 'week':
      return `${minute} ${hour} * * ${weekday}`
    case 'month':
      return `${minute} ${hour} ${day} * *`
    case 'custom':
      return cron
  }
}

/** Reads the expressions that `toCron` writes; any other one is `custom`. */
export function readCron(cron: string): Partial<Pick<Schedule, 'time' | 'weekday' | 'day'>> & { often: Frequency } {
  const [, minute, hour, day, weekday] =
    /^(\d{1,2}) (\d{1,2}|\*) (\d{1,2}|\*) \* ([0-6]|1-5|\*)$/.exec(cron.trim()) ?? []
  if (minute === undefined || Number(minute) > 59) return { often: 'custom' }
  if (hour === '*')
    return day === '*' && weekday === '*' ? { often: 'hour', time: `00:${two(Number(minute))}` } : { often: 'custom' }
  if (Number(hour) > 23) return { often: 'custom' }
  const time = `${two(Number(hour))}:${two(Number(minute))}`
  if (day !== '*')
    return weekday === '*' && Number(day) >= 1 && Number(day) <= 28
      ? { often: 'month', time, day: Number(day) }
      : { often: 'custom' }
  if (weekday === '*') return { often: 'day', time }
  return weekday === '1-5' ? { often: 'weekday', time } : { often: 'week', time, weekday: Number(weekday) }
}

/** Form state of a stored schedule. */
export function fromScheduleInfo(info: ScheduleInfo, now: Date): Schedule {
  const day = (time: string | null | undefined): string => {
    const date = new Date(time ?? NaN)
    return Number.isNaN(date.getTime()) ? '' : formatDay(date)
  }
  return {
    ...newSchedule(now),
    start: day(info.start_date),
    end: day(info.end_date),
    cron: info.schedule_interval,
    ...readCron(info.schedule_interval),
    timezone: info.timezone ?? 'UTC',
    isPaused: info.is_paused === true,
  }
}

/** The stored form of a schedule; it covers whole days of the browser's time zone. */
export const toScheduleInfo = (schedule: Schedule): ScheduleInfo => ({
  start_date: schedule.start === '' ? null : new Date(`${schedule.start}T00:00:00`).toISOString(),
  end_date: schedule.end === '' ? null : new Date(`${schedule.end}T23:59:59`).toISOString(),
  schedule_interval: toCron(schedule),
  timezone: schedule.timezone,
  ...(schedule.isPaused && { is_paused: true }),
})

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parseExtra(extra: unknown): Record<string, unknown> {
  try {
    const value: unknown = typeof extra === 'string' ? JSON.parse(extra || '{}') : extra
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** The schedule in an `extra_json`, as text or parsed; null without one that Parquetry runs. */
export function readScheduleInfo(extra: unknown): ScheduleInfo | null {
  const { schedule_info } = parseExtra(extra)
  return isObject(schedule_info) && typeof schedule_info['schedule_interval'] === 'string'
    ? (schedule_info as unknown as ScheduleInfo)
    : null
}

/** The `extra_json` with another schedule, or without one; keys of other clients stay. */
export function withScheduleInfo(extra: unknown, info: ScheduleInfo | null): string {
  const { schedule_info: before, ...rest } = parseExtra(extra)
  return JSON.stringify(info === null ? rest : { ...rest, schedule_info: { ...(isObject(before) && before), ...info } })
}
