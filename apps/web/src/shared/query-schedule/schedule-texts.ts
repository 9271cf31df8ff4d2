import type { Translate } from '@parquetry/ui'
import { i18n } from '../intl.ts'
import { readCron, type ScheduleInfo } from './schedule.ts'

/** Names of the days of the week in the language of the page, from Sunday. */
export const listWeekdays = (): string[] =>
  Array.from({ length: 7 }, (_, day) => new Date(2024, 0, 7 + day).toLocaleDateString(i18n.locale, { weekday: 'long' }))

/** How often a query runs, in words; cron expressions that the dialog cannot express are shown as they are. */
export function describeSchedule({ schedule_interval, is_paused }: ScheduleInfo, t: Translate): string {
  if (is_paused === true) return t('sqllab.schedule.paused', 'Paused')
  const { often, time = '', weekday = 0, day = 1 } = readCron(schedule_interval)
  switch (often) {
    case 'hour':
      return t('sqllab.schedule.everyHour', 'Hourly, at minute {minute}', { minute: Number(time.slice(3)) })
    case 'day':
      return t('sqllab.schedule.everyDay', 'Daily at {time}', { time })
    case 'weekday':
      return t('sqllab.schedule.everyWeekday', 'Monday to Friday at {time}', { time })
    case 'week':
      return t('sqllab.schedule.everyWeek', '{weekday} at {time}', { weekday: listWeekdays()[weekday] ?? '', time })
    case 'month':
      return t('sqllab.schedule.everyMonth', 'Day {day} of each month at {time}', { day, time })
    case 'custom':
      return schedule_interval
  }
}
