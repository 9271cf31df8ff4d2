import type { AnyChart, ChartForm } from '../define.ts'
import { applyDefaults } from '../read-form.ts'
import { loadStoredForm } from '../registry.ts'

/** One of the things that a chart asks. */
export interface ChartQuery {
  /** As marks name it. */
  query: string
  /** English; the catalog has it as a section: `namedTextId('section', label)`. */
  label: string
  /** The form that asks it alone, as `formOfQuery` gives it. */
  form: ChartForm
}

/** The form that one question of a chart stands for (`Mark.query`): of a mixed chart's second one, under the names of the first. */
export async function resolveQueryForm(form: ChartForm, query: string | undefined): Promise<ChartForm> {
  if (query === undefined) return form
  const opened = await loadStoredForm(form)
  return opened ? toQueryForm(opened.chart, opened.form, query) : form
}

const toQueryForm = (chart: AnyChart, form: ChartForm, query: string): ChartForm =>
  chart.baseForms?.[query]?.(form) ?? form

/** What a form asks, where that is more than one thing for its readers (the two queries of a mixed chart); else nothing. */
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
