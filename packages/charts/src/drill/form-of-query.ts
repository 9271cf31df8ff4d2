import type { ChartForm } from '../define.ts'
import { openForm } from '../registry.ts'

/** The form that one question of a chart stands for (`Mark.query`): of a mixed chart's second one, under the names of the first. */
export async function formOfQuery(form: ChartForm, query: string | undefined): Promise<ChartForm> {
  if (query === undefined) return form
  const opened = await openForm(form)
  const own = opened?.chart.bases?.[query]
  return opened && own ? own(opened.form) : form
}
