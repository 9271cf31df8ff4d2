import type { RenderedTemplate, TemplateContext } from './render.ts'

/** Whether a text has template parts at all; one without is never touched. */
export const isTemplate = (text: string): boolean => /\{[{%#]/.test(text)

/**
 * SQL text with its template parts carried out. The language is Jinja's, within bounds of steps, sizes and names; nothing of
 * the host can be reached from it.
 * @throws TemplateError for a text that is no template, does what is not allowed, or takes too long
 */
export async function renderTemplate(template: string, context: TemplateContext): Promise<RenderedTemplate> {
  if (!isTemplate(template)) return { text: template, unknown: [] }
  // Most texts hold no template, so the language is loaded with the first one that does.
  return (await import('./render.ts')).evaluateTemplate(template, context)
}
