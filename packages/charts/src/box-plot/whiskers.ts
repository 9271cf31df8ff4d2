/** Where whiskers end: within one and a half times the height of the box, at the ends, or at two percentiles. */
export type Whiskers = 'tukey' | 'min/max' | readonly [low: number, high: number]

/** What a form says in words of the API; others are those of Tukey. */
export function parseWhiskers(words: string): Whiskers {
  if (words.startsWith('Min/max')) return 'min/max'
  const [low, high] = /^(\d+)\/(\d+) percentiles?$/.exec(words.trim())?.slice(1).map(Number) ?? []
  return low !== undefined && high !== undefined && low < high && high <= 100 ? [low, high] : 'tukey'
}
