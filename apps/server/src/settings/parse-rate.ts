/** Limit of events per time window, as in AUTH_RATE_LIMIT. */
export interface Rate {
  count: number
  windowMs: number
}

const unitMs = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 }
const rateFormat = /^\s*(\d{1,6})\s*(?:\/|per)\s*(\d{1,4})?\s*(second|minute|hour|day)s?\s*$/i

/** Parses `5 per second`, `10 per 20 seconds` or `100/hour`; undefined for other formats. */
export function parseRate(text: string): Rate | undefined {
  const [, count, unitCount = '1', unit = ''] = rateFormat.exec(text) ?? []
  const rate = { count: Number(count), windowMs: Number(unitCount) * unitMs[unit.toLowerCase() as keyof typeof unitMs] }
  return rate.count > 0 && rate.windowMs > 0 ? rate : undefined
}
