import { parseUtcTime } from '../shared/parse-time.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

function getZoneFormat(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', timeZoneName: 'longOffset' })
    formats.set(zone, format)
  }
  return format
}

const offsetParts = /^(?:GMT|UTC)?([+-])(\d\d):?(\d\d)(?::?(\d\d))?$/

/** Milliseconds by which a zone is ahead of UTC at an instant. */
function offsetAt(zone: string, instant: number): number {
  const name = offsetParts.test(zone)
    ? zone
    : getZoneFormat(zone)
        .formatToParts(instant)
        .find(({ type }) => type === 'timeZoneName')?.value
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = offsetParts.exec(name ?? '') ?? []
  const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -size : size
}

/**
 * Milliseconds since 1970 of a local time with its zone (`2020-01-01 00:00:00.000 Europe/Berlin`, `... +02:00`). In an hour that
 * occurs twice the first one is meant, because the text is ambiguous. Null for any other text.
 */
export function parseZonedTime(text: string): number | null {
  const cut = text.lastIndexOf(' ')
  const local = parseUtcTime(text.slice(0, cut))
  const zone = text.slice(cut + 1)
  if (local === null) return null
  if (zone === 'UTC') return local
  const before = local - offsetAt(zone, local - 86_400_000)
  if (before + offsetAt(zone, before) === local) return before
  const after = local - offsetAt(zone, local + 86_400_000)
  return after + offsetAt(zone, after) === local ? after : before
}
