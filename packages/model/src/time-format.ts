const directives = ['%Y', '%m', '%d', '%H', '%M', '%S', '%f'] as const
const units = ['year', 'month', 'day', 'hour', 'minute', 'second', 'microsecond'] as const
const lengths = [4, 2, 2, 2, 2, 2, 6]

/** One part of a time in the text of a value. */
export interface TimePart {
  unit: (typeof units)[number]
  /** Position of its first digit, from 0. */
  at: number
  length: number
}

/**
 * Parses a format of times that a database stores as text or numbers: strptime directives from the year on, each once and in order
 * of size, such as `%Y-%m-%d`, `%Y%m%d` or `%Y/%m/%d %H:%M`. Values of such a format sort as their times do.
 * @returns the parts, largest first; null for any other format
 */
export function parseTimeFormat(format: string): TimePart[] | null {
  const pieces = format.split(/(%.?)/)
  const parts: TimePart[] = []
  let at = 0
  for (const piece of pieces) {
    if (!piece.startsWith('%')) {
      at += piece.length
      continue
    }
    const length = lengths[parts.length]
    const unit = units[parts.length]
    if (length === undefined || unit === undefined || piece !== directives[parts.length]) return null
    parts.push({ unit, at, length })
    at += length
  }
  return parts.length > 0 ? parts : null
}

/** Returns whether queries can filter and group times of this format: `epoch_s`, `epoch_ms`, or what `parseTimeFormat` reads. */
export const isTimeFormat = (format: string): boolean =>
  format === 'epoch_s' || format === 'epoch_ms' || parseTimeFormat(format) !== null
