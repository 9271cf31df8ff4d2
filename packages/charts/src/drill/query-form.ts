import type { AnyChart, ChartForm } from '../define.ts'
import { applyDefaults } from '../read-form.ts'
import { loadStoredForm } from '../registry.ts'

/** One of a chart's queries. */
export interface ChartQuery {
  /** Name by which marks refer to it. */
  query: string
  /** English; a section in the catalog: `namedTextId('section', label)`. */
  label: string
  /** Form of this query alone, as returned by `resolveQueryForm`. */
  form: ChartForm
}

/**
 * Returns the form of one query of a chart (`Mark.query`); for the second query of a mixed chart, under the setting names of the
 * first.
 */
export async function resolveQueryForm(form: ChartForm, query: string | undefined): Promise<ChartForm> {
  if (query === undefined) return form
  const opened = await loadStoredForm(form)
  return opened ? toQueryForm(opened.chart, opened.form, query) : form
}

const toQueryForm = (chart: AnyChart, form: ChartForm, query: string): ChartForm =>
  chart.baseForms?.[query]?.(form) ?? form

/** Returns the queries of a form if it has several for its users (the two of a mixed chart), else an empty list. */
export async function listChartQueries(form: ChartForm): Promise<ChartQuery[]> {
  const opened = await loadStoredForm(form)
  const { queryLabels } = opened?.chart ?? {}
  if (!opened || !queryLabels) return []
  const settled = applyDefaults(opened.chart.form, opened.form)
  const there = Object.keys(opened.chart.queries(settled, {})).filter((query) => queryLabels[query] !== undefined)
  if (there.length < 2) return []
  return there.map((query) => ({
    query,
    label: queryLabels[query] ?? query,
    form: toQueryForm(opened.chart, opened.form, query),
  }))
}
