/** Text of a time in a list of values, which filters read: `2024-02-29`, with a time of day unless it is midnight. */
export const formatListedTime = (ms: number): string =>
  new Date(ms)
    .toISOString()
    .replace('T', ' ')
    .replace(/(?: 00:00:00)?\.000Z$|Z$/, '')
