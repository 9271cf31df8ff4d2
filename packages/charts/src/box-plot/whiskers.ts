/** Ends of the whiskers: within 1.5 times the box height, minimum and maximum, or two percentiles. */
export type Whiskers = 'tukey' | 'min/max' | readonly [low: number, high: number]

/** Parses the API's whisker option; unknown options are Tukey. */
export function parseWhiskers(words: string): Whiskers {
  if (words.startsWith('Min/max')) return 'min/max'
  const [low, high] = /^(\d+)\/(\d+) percentiles?$/.exec(words.trim())?.slice(1).map(Number) ?? []
  return low !== undefined && high !== undefined && low < high && high <= 100 ? [low, high] : 'tukey'
}
