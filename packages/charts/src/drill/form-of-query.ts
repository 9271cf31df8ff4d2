import type { AnyChart, ChartForm } from '../define.ts'
import { settle } from '../read-form.ts'
import { openForm } from '../registry.ts'

/** One of the things that a chart asks. */
export interface ChartQuestion {
  /** As marks name it. */
  query: string
  /** English; the catalog has it as a section: `namedTextId('section', label)`. */
  label: string
  /** The form that asks it alone, as `formOfQuery` gives it. */
  form: ChartForm
}

/** The form that one question of a chart stands for (`Mark.query`): of a mixed chart's second one, under the names of the first. */
export async function formOfQuery(form: ChartForm, query: string | undefined): Promise<ChartForm> {
  if (query === undefined) return form
  const opened = await openForm(form)
  return opened ? asked(opened.chart, opened.form, query) : form
}

const asked = (chart: AnyChart, form: ChartForm, query: string): ChartForm => chart.bases?.[query]?.(form) ?? form

/** What a form asks, where that is more than one thing for its readers (the two queries of a mixed chart); else nothing. */
export async function questionsOf(form: ChartForm): Promise<ChartQuestion[]> {
  const opened = await openForm(form)
  const { questions } = opened?.chart ?? {}
  if (!opened || !questions) return []
  const settled = settle(opened.chart.form, opened.form)
  const there = Object.keys(opened.chart.queries(settled, {})).filter((query) => questions[query] !== undefined)
  if (there.length < 2) return []
  return there.map((query) => ({
    query,
    label: questions[query] ?? query,
    form: asked(opened.chart, opened.form, query),
  }))
}
