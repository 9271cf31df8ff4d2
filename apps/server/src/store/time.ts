/** Formats a time for the store: ISO text in UTC without a zone, sortable. */
export const formatStoredTime = (time: Date): string => time.toISOString().slice(0, -1)

/** Times whose text has a four-digit year, which makes it sortable. */
const span = { earliest: Date.parse('0000-01-01T00:00:00Z'), latest: Date.parse('9999-12-31T23:59:59.999Z') }

/** Like `formatStoredTime`, for milliseconds sent by a client, clamped to `span`. */
export const formatClampedTime = (ms: number): string =>
  formatStoredTime(new Date(Math.max(span.earliest, Math.min(span.latest, ms))))

export const parseStoredTime = (text: string): Date => new Date(`${text}Z`)
