import type { ChartForm } from '@parquetry/charts'

/** What is kept of a form under a key, as JSON text: the parameters of the address belong to the address (SHARE-002). */
export function keptForm(form: ChartForm): string {
  const { url_params: _, ...kept } = form
  return JSON.stringify(kept)
}
