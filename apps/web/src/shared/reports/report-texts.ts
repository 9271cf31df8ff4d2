import type { RecipientType, ReportChannel, ReportFormat, ReportRunState } from '@parquetry/model'
import type { IconName, Tone, Translate } from '@parquetry/ui'
import { readCron } from '../query-schedule/schedule.ts'
import { listWeekdays } from '../query-schedule/schedule-texts.ts'
import { i18n } from '../intl.ts'

/** In the order of the filter. */
export const runStates: readonly ReportRunState[] = ['Success', 'Working', 'Error', 'Not triggered', 'On Grace']

/** Word, color and icon of the state of a run. */
export function describeRunState(
  t: Translate,
  state: ReportRunState,
): { word: string; tone: Tone; icon: IconName; busy?: true } {
  switch (state) {
    case 'Success':
      return { word: t('reports.state.success', 'Success'), tone: 'success', icon: 'check' }
    case 'Working':
      return { word: t('reports.state.working', 'Working'), tone: 'warning', icon: 'refresh', busy: true }
    case 'Error':
      return { word: t('reports.state.error', 'Error'), tone: 'danger', icon: 'error' }
    case 'Not triggered':
      return { word: t('reports.state.notTriggered', 'Not triggered'), tone: 'neutral', icon: 'minus' }
    case 'On Grace':
      return { word: t('reports.state.onGrace', 'On grace'), tone: 'info', icon: 'clock' }
  }
}

export function nameFormat(t: Translate, format: ReportFormat): string {
  switch (format) {
    case 'PDF':
      return t('reports.format.pdf', 'PDF')
    case 'PNG':
      return t('reports.format.png', 'Image (PNG)')
    case 'XLSX':
      return t('reports.format.xlsx', 'Excel file (XLSX)')
    case 'CSV':
      return t('reports.format.csv', 'CSV file')
    case 'TEXT':
      return t('reports.format.text', 'Table in the message')
    case 'NONE':
      return t('reports.format.none', 'Message without a file')
  }
}

export function nameChannel(t: Translate, type: ReportChannel['type']): string {
  switch (type) {
    case 'Email':
      return t('reports.channel.email', 'E-mail')
    case 'Slack':
      return t('reports.channel.slack', 'Slack')
    case 'Webhook':
      return t('reports.channel.webhook', 'Webhook')
    case 'Folder':
      return t('reports.channel.folder', 'Folder')
  }
}

/** The channel that delivers to a recipient; users, roles and groups get e-mails. */
export function channelOf(type: RecipientType): ReportChannel['type'] {
  if (type === 'Slack' || type === 'SlackV2') return 'Slack'
  return type === 'Webhook' || type === 'Folder' ? type : 'Email'
}

/** A cron expression in words, or the fallback for one that has no short words. */
export function describeCron(t: Translate, crontab: string, fallback: string): string {
  const { often, time = '', weekday = 0, day = 1 } = readCron(crontab)
  switch (often) {
    case 'hour':
      return t('reports.schedule.everyHour', 'Every hour at minute {minute}', { minute: Number(time.slice(3)) })
    case 'day':
      return t('reports.schedule.everyDay', 'Every day at {time}', { time })
    case 'weekday':
      return t('reports.schedule.everyWeekday', 'Monday to Friday at {time}', { time })
    case 'week':
      return t('reports.schedule.everyWeek', 'Every {weekday} at {time}', {
        weekday: listWeekdays()[weekday] ?? '',
        time,
      })
    case 'month':
      return t('reports.schedule.everyMonth', 'Day {day} of each month at {time}', { day, time })
    case 'custom':
      return fallback
  }
}

/** `Mon, 23 Nov, 08:00` in a time zone. @param at  ISO text */
export function formatRunTime(at: string, timeZone: string): string {
  const options = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const
  try {
    return new Date(at).toLocaleString(i18n.locale, { ...options, hourCycle: 'h23', timeZone })
  } catch {
    return new Date(at).toLocaleString(i18n.locale, { ...options, hourCycle: 'h23', timeZone: 'UTC' })
  }
}
