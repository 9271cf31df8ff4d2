import type { AnyChart, ChartForm, DatasetFacts } from './define.ts'
import { readForm } from './read-form.ts'
import { entries } from './registry.gen.ts'
import { withTemporalColumns } from './temporal-columns.ts'

/** What is known of a chart type without loading it; `gallery.ts` says more. */
export interface ChartEntry {
  viz_type: string
  name: string
  series: readonly string[]
  behaviors: readonly string[]
  /** Draws annotation layers, and can be one: its rows are lines along an axis. */
  annotated: boolean
  /** Older viz types that it takes over. */
  replaces: readonly string[]
  load: () => Promise<{ default: AnyChart }>
}

export const chartEntries: readonly ChartEntry[] = entries

const byType = new Map(
  entries.flatMap((entry) => [entry.viz_type, ...entry.replaces].map((key) => [key, entry] as const)),
)

/** Undefined for a type that nobody here draws: its form is kept, and its saved query context is shown as a table. */
export const chartEntry = (viz_type: string | undefined): ChartEntry | undefined => byType.get(viz_type ?? '')

const loaded = new Map<ChartEntry, AnyChart>()

/** The chart of a type or of an older type that it takes over. */
export async function loadChart(viz_type: string | undefined): Promise<AnyChart | undefined> {
  const entry = chartEntry(viz_type)
  if (!entry) return undefined
  const known = loaded.get(entry)
  if (known) return known
  const { default: chart } = await entry.load()
  loaded.set(entry, chart)
  return chart
}

/**
 * A stored form with the chart that draws it: old spellings read, forms of older types turned into ours.
 * @param dataset  with it the form says which columns are times (`withTemporalColumns`); without it, what is stored holds
 */
export async function loadStoredForm(
  stored: unknown,
  dataset?: Partial<Pick<DatasetFacts, 'columns'>>,
): Promise<{ chart: AnyChart; form: ChartForm } | undefined> {
  const form = readForm(stored)
  const asked = await loadChart(form.viz_type as string | undefined)
  if (!asked) return undefined
  const upgraded = upgradeForm(asked, form)
  // An older type may have become one of several.
  const chart = upgraded === form ? asked : ((await loadChart(upgraded.viz_type as string)) ?? asked)
  return { chart, form: withTemporalColumns(chart, upgraded, dataset) }
}

/** The form of an older type as the chart that took it over reads it; any other form as it is. */
export function upgradeForm(chart: AnyChart, form: ChartForm): ChartForm {
  const from = chart.replaces?.[String(form.viz_type)]
  return from ? readForm(from(form)) : form
}
