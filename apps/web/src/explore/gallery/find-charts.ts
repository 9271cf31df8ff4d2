import type { ChartEntry } from '@parquetry/charts'

export const recommendedTags = ['Popular', 'ECharts', 'Advanced-Analytics'] as const
/** Category of charts that name none; listed last (EXP-063). */
export const otherCategory = 'Other'

/** What of the gallery is shown. */
export type Place = { kind: 'all' } | { kind: 'category' | 'tag'; name: string }

export const categoryOf = ({ category }: ChartEntry): string => category || otherCategory

/** Most used first; types that are not named come after them, by name. */
const popular = [
  'table',
  'echarts_timeseries_line',
  'echarts_timeseries_bar',
  'big_number_total',
  'big_number',
  'pie',
  'echarts_area',
  'echarts_timeseries',
  'echarts_timeseries_scatter',
  'echarts_timeseries_smooth',
  'echarts_timeseries_step',
]
const rank = ({ viz_type }: ChartEntry): number => {
  const at = popular.indexOf(viz_type)
  return at < 0 ? popular.length : at
}

export const byPopularity = (charts: readonly ChartEntry[]): ChartEntry[] =>
  charts.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))

export const categoriesOf = (charts: readonly ChartEntry[]): string[] =>
  [...new Set(charts.map(categoryOf))].toSorted(
    (a, b) => Number(a === otherCategory) - Number(b === otherCategory) || a.localeCompare(b),
  )

export const tagsOf = (charts: readonly ChartEntry[]): string[] =>
  [...new Set(charts.flatMap(({ tags }) => tags))].toSorted((a, b) => a.localeCompare(b))

export const isAt = (chart: ChartEntry, place: Place): boolean =>
  place.kind === 'all' ||
  (place.kind === 'category' ? categoryOf(chart) === place.name : chart.tags.includes(place.name))

/** EXP-059: so many wrong letters of each letter typed are forgiven. */
const threshold = 0.3
/** EXP-060. */
const weights = { name: 4, tags: 2, description: 1 }

/** Charts that fit what was typed, best first: a hit in the name counts more than one in a tag or in the description. */
export function findCharts(charts: readonly ChartEntry[], typed: string): ChartEntry[] {
  const words = typed.trim()
  if (words === '') return byPopularity(charts)
  return byPopularity(charts)
    .map((chart) => ({ chart, score: scoreOf(chart, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ chart }) => chart)
}

function scoreOf({ name, tags, description }: ChartEntry, words: string): number {
  const likeness = (text: string): number => {
    const miss = missOf(words, text)
    return miss <= threshold ? 1 - miss : 0
  }
  return (
    weights.name * likeness(name) +
    weights.tags * Math.max(0, ...tags.map(likeness)) +
    weights.description * likeness(description)
  )
}

/**
 * How badly the best place in a text fits what is looked for: edits needed, by its length; 0 stands in the text as it is.
 * @see Sellers 1980, approximate matching of a pattern inside a text
 */
export function missOf(sought: string, text: string): number {
  const [pattern, within] = [sought.toLowerCase(), text.toLowerCase()]
  let row = Array.from({ length: pattern.length + 1 }, (_, edits) => edits)
  let best = pattern.length
  for (const letter of within) {
    const next = [0]
    for (let at = 1; at <= pattern.length; at += 1) {
      const swap = (row[at - 1] ?? 0) + Number(pattern[at - 1] !== letter)
      next.push(Math.min(swap, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    row = next
    best = Math.min(best, row[pattern.length] ?? best)
  }
  return pattern.length === 0 ? 0 : best / pattern.length
}
