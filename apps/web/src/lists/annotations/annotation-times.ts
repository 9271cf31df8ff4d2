/** The API writes UTC without a zone: `2026-03-01T08:00:00`. In a list `2026-03-01 08:00`, with seconds where there are some. */
export const timeWords = (time: string): string => time.replace('T', ' ').replace(/(:\d\d):00$/, '$1')

/** `2026-03-01 08:00 – 09:30`, or one time for a moment. */
export function spanWords(start: string, end: string): string {
  if (start === end) return timeWords(start)
  const [day] = start.split('T')
  const until = timeWords(end)
  return `${timeWords(start)} – ${until.startsWith(`${day} `) ? until.slice(until.indexOf(' ') + 1) : until}`
}
