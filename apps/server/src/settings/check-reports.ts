import type { SettingErrors } from './start-error.ts'

const wholeNumbers = [
  ['ALERT_REPORTS_DEFAULT_RETENTION', 1],
  ['ALERT_REPORTS_DEFAULT_WORKING_TIMEOUT', 1],
  ['ALERT_REPORTS_MIN_CUSTOM_SCREENSHOT_WIDTH', 1],
  ['ALERT_REPORTS_MAX_CUSTOM_SCREENSHOT_WIDTH', 1],
  ['ALERT_MINIMUM_INTERVAL', 0],
  ['REPORT_MINIMUM_INTERVAL', 0],
] as const

/** Checks the limits of alerts and reports, so that the start fails instead of the first one that is saved. */
export function checkReportSettings(config: Readonly<Record<string, unknown>>, errors: SettingErrors): void {
  const add = (text: string) => errors.add(`PARQUETRY_CONFIG: ${text}`)
  for (const [name, least] of wholeNumbers)
    if (!Number.isSafeInteger(config[name]) || Number(config[name]) < least)
      add(`${name} must be a whole number of at least ${least}.`)
  const { ALERT_REPORTS_MIN_CUSTOM_SCREENSHOT_WIDTH: min, ALERT_REPORTS_MAX_CUSTOM_SCREENSHOT_WIDTH: max } = config
  if (Number(min) > Number(max))
    add('ALERT_REPORTS_MIN_CUSTOM_SCREENSHOT_WIDTH must not exceed ALERT_REPORTS_MAX_CUSTOM_SCREENSHOT_WIDTH.')
}
