/** Number of events per time window. */
export interface Rate {
  count: number
  windowMs: number
}

const unitMs = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 }
const form = /^\s*(\d{1,6})\s*(?:\/|per)\s*(\d{1,4})?\s*(second|minute|hour|day)s?\s*$/i

/** Parses `5 per second`, `10 per 20 seconds` or `100/hour`; undefined for other formats. */
export function readRate(text: string): Rate | undefined {
  const [, count, times = '1', unit = ''] = form.exec(text) ?? []
  const rate = { count: Number(count), windowMs: Number(times) * unitMs[unit.toLowerCase() as keyof typeof unitMs] }
  return rate.count > 0 && rate.windowMs > 0 ? rate : undefined
}
