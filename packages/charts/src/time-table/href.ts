import type { ChartForm } from '../define.ts'

interface Row {
  name: string
  metric: string
  form: ChartForm
}

/**
 * Fills the URL template of a row: `{{ metric }}` is its name, `{{ metric.metric_name }}` that of its metric, any other word a
 * setting of the form. Null without a template, and for URLs that are not web pages.
 */
export function buildRowHref(template: string, { name, metric, form }: Row): string | null {
  const values: Record<string, unknown> = { metric: name, 'metric.label': name, 'metric.metric_name': metric }
  const href = template.trim().replace(/\{\{\{?\s*([\w.]+)\s*\}?\}\}/g, (_, word: string, at: number) => {
    const value = Object.hasOwn(values, word) ? values[word] : Object.hasOwn(form, word) ? form[word] : ''
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
    return at === 0 ? text : encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '\ufffd'))
  })
  return /^(?:https?:\/\/|mailto:|\/(?!\/)|#)/i.test(href) ? href : null
}
