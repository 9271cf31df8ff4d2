import { createRequire } from 'node:module'
import type { Cron as CronClass, CronPattern as CronPatternClass } from 'croner'

const load = createRequire(import.meta.url)
const croner = () => load('croner') as { Cron: typeof CronClass; CronPattern: typeof CronPatternClass }

/** When a report is due. */
export interface Schedule {
  /** Cron expression with five fields, or a name such as `@daily`. */
  crontab: string
  /** IANA name. */
  timezone: string
}

const nicknames: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

/** The five fields of an expression; undefined when it has other than five. */
function splitFields(crontab: string): string[] | undefined {
  const text = crontab.trim()
  const fields = (nicknames[text.toLowerCase()] ?? text).split(/\s+/)
  return fields.length === 5 ? fields : undefined
}

function parsePattern(crontab: string): CronPatternClass | undefined {
  const fields = splitFields(crontab)
  if (!fields) return undefined
  try {
    return new (croner().CronPattern)(fields.join(' '), undefined, { mode: '5-part' })
  } catch {
    return undefined
  }
}

export const isCrontab = (text: string): boolean => parsePattern(text) !== undefined

/** Tests for the name of a time zone, in any case. Offsets such as +02:00 have no daylight saving time and are refused. */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/**
 * When the clock is set forward, a time that does not exist is due at the change. When it is set back, a time that exists twice is
 * due once, the first time; only schedules with `*` or a step in minutes or hours go on through both hours.
 */
const createCron = ({ crontab, timezone }: Schedule): CronClass =>
  new (croner().Cron)((splitFields(crontab) ?? [crontab]).join(' '), {
    mode: '5-part',
    timezone,
    paused: true,
    fixedTimeRule: 'no-wildcard',
  })

/** The next times after `after`, in order; fewer when no more follow. */
export const listNextRuns = (schedule: Schedule, after: Date, count: number): Date[] =>
  createCron(schedule).nextRuns(count, after)

/** The first time after `after`; null when the schedule never fires again. */
export const findNextRun = (schedule: Schedule, after: Date): Date | null => createCron(schedule).nextRun(after)

/** The last time before `before`; null when there was none. */
export const findPreviousRun = (schedule: Schedule, before: Date): Date | null =>
  createCron(schedule).previousRuns(1, before)[0] ?? null

const dayMinutes = 24 * 60
const day = dayMinutes * 60_000
/** Days are compared within these years, which contain a leap day. */
const comparedYears = { from: Date.UTC(2023, 11, 31), to: Date.UTC(2029, 0, 1) }

/** Times of day at which an expression fires, in minutes. */
const timesOfDay = ({ hour, minute }: CronPatternClass): number[] =>
  hour.flatMap((fires, at) => (fires ? minute.flatMap((also, past) => (also ? [at * 60 + past] : [])) : []))

/** Smallest number of days between two days on which an expression fires. */
function smallestDayGap(fields: readonly string[]): number {
  const days = createCron({ crontab: ['0', '0', ...fields.slice(2)].join(' '), timezone: 'UTC' })
  let smallest = Number.POSITIVE_INFINITY
  let before: Date | null = null
  for (let at = days.nextRun(new Date(comparedYears.from)); at && at.getTime() < comparedYears.to;) {
    if (before) smallest = Math.min(smallest, (at.getTime() - before.getTime()) / day)
    if (smallest === 1) break
    before = at
    at = days.nextRun(at)
  }
  return smallest
}

/**
 * The shortest time between two runs of a valid expression in seconds, over five years and without changes of the clock.
 * @param enough  in seconds; a longer time need not be exact, which is faster
 */
export function shortestGap(crontab: string, enough: number): number {
  const pattern = parsePattern(crontab)
  const fields = splitFields(crontab)
  if (!pattern || !fields) return Number.POSITIVE_INFINITY
  const times = timesOfDay(pattern)
  const within = Math.min(...times.slice(1).map((time, index) => time - (times[index] ?? 0)))
  const overnight = (days: number) => (times[0] ?? 0) - (times.at(-1) ?? 0) + days * dayMinutes
  const isKnown = within <= overnight(1) || Math.min(within, overnight(1)) * 60 >= enough
  return Math.min(within, overnight(isKnown ? 1 : smallestDayGap(fields))) * 60
}
