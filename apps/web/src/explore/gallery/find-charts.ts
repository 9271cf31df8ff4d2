import { findUnmetRequirement, type DataRequirements } from '@parquetry/charts'
import { type GalleryEntry } from '@parquetry/charts/gallery'

const recommendedTags = ['Popular', 'ECharts', 'Advanced-Analytics'] as const
/** Category of charts without one; listed last (EXP-063). */
export const otherCategory = 'Other'

/** Selected part of the gallery. */
export type GalleryCategory = { kind: 'all' } | { kind: 'recommended' | 'category' | 'tag'; name: string }

export const categoryOf = ({ category }: GalleryEntry): string => category || otherCategory

/** EXP-062: most popular first; other types follow by name. */
const popular = [
  'table',
  'echarts_timeseries_line',
  'echarts_timeseries_bar',
  'big_number_total',
  'big_number',
  'pie',
  'echarts_area',
  'pivot_table_v2',
  'mixed_timeseries',
  'echarts_timeseries_scatter',
  'echarts_timeseries_smooth',
  'echarts_timeseries_step',
  'echarts_timeseries',
  'waterfall',
  'funnel',
  'world_map',
  'treemap_v2',
  'heatmap_v2',
  'histogram_v2',
  'box_plot',
  'bubble_v2',
  'gauge_chart',
  'pop_kpi',
  'sunburst_v2',
  'sankey_v2',
  'word_cloud',
  'radar',
  'country_map',
  'time_table',
  'cal_heatmap',
  'gantt_chart',
  'handlebars',
  'graph_chart',
  'tree_chart',
  'chord',
  'mapbox',
  'deck_scatter',
  'deck_polygon',
  'deck_hex',
  'deck_arc',
  'deck_grid',
  'deck_path',
  'deck_geojson',
  'deck_heatmap',
  'deck_screengrid',
  'deck_contour',
  'deck_multi',
  'bullet',
  'rose',
  'partition',
  'horizon',
  'para',
  'time_pivot',
  'event_flow',
  'paired_ttest',
  'compare',
  'line_multi',
  'filter_box',
]
const rank = ({ viz_type }: GalleryEntry): number => {
  const index = popular.indexOf(viz_type)
  return index < 0 ? popular.length : index
}

export const sortByPopularity = (charts: readonly GalleryEntry[]): GalleryEntry[] =>
  charts.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))

/** All sections, in their order. */
export function listGalleryCategories(charts: readonly GalleryEntry[]): GalleryCategory[] {
  const categories = [...new Set(charts.map(categoryOf))].toSorted(
    (a, b) => Number(a === otherCategory) - Number(b === otherCategory) || a.localeCompare(b),
  )
  const tags = [...new Set(charts.flatMap((chart) => chart.tags))].toSorted((a, b) => a.localeCompare(b))
  return [
    { kind: 'all' },
    ...recommendedTags.map((name) => ({ kind: 'recommended' as const, name })),
    ...categories.map((name) => ({ kind: 'category' as const, name })),
    ...tags.map((name) => ({ kind: 'tag' as const, name })),
  ]
}

export const isInCategory = (chart: GalleryEntry, category: GalleryCategory): boolean =>
  category.kind === 'all' ||
  (category.kind === 'category' ? categoryOf(chart) === category.name : chart.tags.includes(category.name))

/** Chart types to offer: without denied (PERM-025) and deprecated ones, but always with the type in use. */
export const listAvailableCharts = (
  charts: readonly GalleryEntry[],
  denied: readonly unknown[],
  inUse: string,
): GalleryEntry[] =>
  charts.filter(({ viz_type, deprecated }) => viz_type === inUse || !(deprecated || denied.includes(viz_type)))

/** Splits charts into those whose needs the supply meets and the others, each in the given order. */
export function partitionByFit(
  charts: readonly GalleryEntry[],
  supply: DataRequirements,
): { fit: GalleryEntry[]; others: GalleryEntry[] } {
  const { fit = [], others = [] } = Object.groupBy(charts, ({ needs }) =>
    findUnmetRequirement(needs, supply) ? 'others' : 'fit',
  )
  return { fit, others }
}

/** EXP-059: maximum edits per typed letter. */
const threshold = 0.3
/** EXP-060. */
const weights = { name: 4, tags: 2, description: 1 }

/** Charts that match the typed text, best first; a match in the name weighs more than one in tags or description. */
export function findCharts(charts: readonly GalleryEntry[], typed: string): GalleryEntry[] {
  const searchText = typed.trim()
  if (searchText === '') return sortByPopularity(charts)
  return sortByPopularity(charts)
    .map((chart) => ({ chart, score: scoreChart(chart, searchText) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ chart }) => chart)
}

function scoreChart({ name, tags, description }: GalleryEntry, searchText: string): number {
  const computeSimilarity = (text: string): number => {
    const miss = computeFuzzyDistance(searchText, text)
    return miss <= threshold ? 1 - miss : 0
  }
  return (
    weights.name * computeSimilarity(name) +
    weights.tags * Math.max(0, ...tags.map(computeSimilarity)) +
    weights.description * computeSimilarity(description)
  )
}

/**
 * Fewest edits with which the text contains what is sought, divided by its length; 0 for an exact substring.
 * @see Sellers 1980, approximate matching of a pattern inside a text
 */
export function computeFuzzyDistance(searchText: string, text: string): number {
  const [pattern, within] = [searchText.toLowerCase(), text.toLowerCase()]
  let row = Array.from({ length: pattern.length + 1 }, (_, edits) => edits)
  let best = pattern.length
  for (const letter of within) {
    const next = [0]
    for (let index = 1; index <= pattern.length; index += 1) {
      const swap = (row[index - 1] ?? 0) + Number(pattern[index - 1] !== letter)
      next.push(Math.min(swap, (row[index] ?? 0) + 1, (next[index - 1] ?? 0) + 1))
    }
    row = next
    best = Math.min(best, row[pattern.length] ?? best)
  }
  return pattern.length === 0 ? 0 : best / pattern.length
}
