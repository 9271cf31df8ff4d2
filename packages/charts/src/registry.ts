import type { DynamicPlugin } from '@parquetry/model'
import type { AnyChart, ChartForm, DatasetFacts } from './define.ts'
import { readForm } from './read-form.ts'
import { entries } from './registry.gen.ts'
import { withTemporalColumns } from './temporal-columns.ts'

/** Metadata of a chart type that is available without loading it; `gallery.ts` has more. */
export interface ChartEntry {
  viz_type: string
  name: string
  series: readonly string[]
  behaviors: readonly string[]
  /** Draws annotation layers, and can be one because its rows are lines along an axis. */
  annotated: boolean
  /** Legacy viz types that it replaces. */
  replaces: readonly string[]
  load: () => Promise<{ default: AnyChart }>
  /** Set for a chart type that administrators have added. */
  plugin?: DynamicPlugin
}

export const chartEntries: readonly ChartEntry[] = entries

const byType = new Map(
  entries.flatMap((entry) => [entry.viz_type, ...entry.replaces].map((key) => [key, entry] as const)),
)

/** Adds chart types that administrators have added. A built-in type of the same key wins. */
export function registerPlugins(plugins: readonly DynamicPlugin[]): void {
  for (const plugin of plugins) {
    const { key, name } = plugin
    if (byType.has(key)) continue
    const entry: ChartEntry = {
      viz_type: key,
      name,
      series: [],
      behaviors: [],
      annotated: false,
      replaces: [],
      load: async () => ({ default: (await import('./plugin/define-plugin-chart.ts')).definePluginChart(plugin) }),
      plugin,
    }
    byType.set(key, entry)
    pluginEntries.push(entry)
  }
}

/** The chart types of plugins, in the order of their names. */
export const pluginEntries: ChartEntry[] = []

/** Undefined for an unsupported type: its form is preserved, and its saved query context is shown as a table. */
export const chartEntry = (viz_type: string | undefined): ChartEntry | undefined => byType.get(viz_type ?? '')

const loaded = new Map<ChartEntry, AnyChart>()

/** Loads the chart of a type or of a legacy type that it replaces. */
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
 * Returns a stored form with its chart: legacy keys are read, forms of legacy types converted.
 * @param dataset  updates which columns are times (`withTemporalColumns`); without it, the stored values apply
 */
export async function loadStoredForm(
  stored: unknown,
  dataset?: Partial<Pick<DatasetFacts, 'columns'>>,
): Promise<{ chart: AnyChart; form: ChartForm } | undefined> {
  const form = readForm(stored)
  const original = await loadChart(form.viz_type as string | undefined)
  if (!original) return undefined
  const upgraded = upgradeForm(original, form)
  // A legacy type may have been split into several types.
  const chart = upgraded === form ? original : ((await loadChart(upgraded.viz_type as string)) ?? original)
  return { chart, form: withTemporalColumns(chart, upgraded, dataset) }
}

/** Converts the form of a legacy type for the chart that replaces it; returns other forms unchanged. */
export function upgradeForm(chart: AnyChart, form: ChartForm): ChartForm {
  const from = chart.replaces?.[String(form.viz_type)]
  return from ? readForm(from(form)) : form
}
