import type { RenderedTemplate, TemplateContext } from './render.ts'

/** Returns whether a text contains template tags; texts without tags are never changed. */
export const isTemplate = (text: string): boolean => /\{[{%#]/.test(text)

/**
 * Renders the template tags of SQL text. The language is Jinja, with bounds on steps, sizes and names, and without access to the
 * host.
 * @throws TemplateError for an invalid template, one that does something not allowed, or one that takes too long
 */
export async function renderTemplate(template: string, context: TemplateContext): Promise<RenderedTemplate> {
  if (!isTemplate(template)) return { text: template, unknown: [] }
  // Most texts contain no template, so the language is loaded on first use.
  return (await import('./render.ts')).evaluateTemplate(template, context)
}
