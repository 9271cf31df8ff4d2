/** Milliseconds since 1970 of an ISO text in UTC, with or without `Z`; null for none. */
export function parseUtc(text: string | null): number | null {
  if (text === null) return null
  const ms = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)
  return Number.isNaN(ms) ? null : ms
}
