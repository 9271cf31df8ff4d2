const units = [
  ['year', 365 * 86_400],
  ['month', 30.5 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** Age of a stored time in the API's wording: `now`, `an hour ago`, `2 days ago`. */
export function ago(storedTime: string, now: Date): string {
  const seconds = Math.max(0, (now.getTime() - Date.parse(`${storedTime}Z`)) / 1000)
  if (seconds < 1) return 'now'
  for (const [unit, size] of units) {
    const count = Math.floor(seconds / size)
    if (count === 1) return `${unit === 'hour' ? 'an' : 'a'} ${unit} ago`
    if (count > 1) return `${count} ${unit}s ago`
  }
  const count = Math.floor(seconds)
  return count === 1 ? 'a second ago' : `${count} seconds ago`
}

/** Formats a stored time for the API's `*_utc` columns. */
export const withZone = (storedTime: string): string => `${storedTime}+0000`
