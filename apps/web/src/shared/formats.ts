import { i18n } from './intl.ts'
import { once } from './once.ts'

const numbers = new Map<string, Intl.NumberFormat>()

/** Formats a number in the language of the page: `12,431`. */
export function formatNumber(value: number, options: Intl.NumberFormatOptions = {}): string {
  const key = JSON.stringify(options)
  const format = numbers.get(key) ?? new Intl.NumberFormat(i18n.locale, options)
  numbers.set(key, format)
  return format.format(value)
}

/** The Swedish locale formats dates like ISO 8601. */
const isoFormat = (options: Intl.DateTimeFormatOptions) =>
  once(() => new Intl.DateTimeFormat('sv-SE', { ...options, calendar: 'gregory', numberingSystem: 'latn' }))

const minutes = isoFormat({ dateStyle: 'short', timeStyle: 'short' })
const seconds = isoFormat({ dateStyle: 'short', timeStyle: 'medium' })
const clock = isoFormat({ timeStyle: 'short' })
const day = isoFormat({ dateStyle: 'short' })
const resolved = once(() => minutes().resolvedOptions())

/** `2026-11-21 14:05`, in the time zone of the browser. */
export const formatDateTime = (at: number | Date): string => minutes().format(at)

/** `2026-11-21 14:05:09`, in the time zone of the browser: for events that may happen in the same minute. */
export const formatTimestamp = (at: number | Date): string => seconds().format(at)

/** `2026-11-21 14:05 Europe/Berlin`, for a time shown on its own. */
export const formatDateTimeWithZone = (at: number | Date): string => `${formatDateTime(at)} ${resolved().timeZone}`

/** `14:05`, in the time zone of the browser. */
export const formatTime = (at: number | Date): string => clock().format(at)

/** `14:05` of today, otherwise `2026-11-21 14:05`, in the time zone of the browser. */
export const formatRecentTime = (at: number | Date): string =>
  formatDate(at) === formatDate(Date.now()) ? formatTime(at) : formatDateTime(at)

/** `2026-11-21`, in the time zone of the browser. */
export const formatDate = (at: number | Date): string => day().format(at)
