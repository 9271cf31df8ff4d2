/** The API writes UTC without a zone: `2026-03-01T08:00:00`. Lists show `2026-03-01 08:00`, with seconds unless they are zero. */
export const formatAnnotationTime = (time: string): string => time.replace('T', ' ').replace(/(:\d\d):00$/, '$1')

/** `2026-03-01 08:00 – 09:30`, or one time if start and end are equal. */
export function formatAnnotationSpan(start: string, end: string): string {
  if (start === end) return formatAnnotationTime(start)
  const [day] = start.split('T')
  const until = formatAnnotationTime(end)
  return `${formatAnnotationTime(start)} – ${until.startsWith(`${day} `) ? until.slice(until.indexOf(' ') + 1) : until}`
}
