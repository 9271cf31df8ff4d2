import { lex } from '@parquetry/model/lex'
import type { RenderedTemplate, TemplateContext } from './render.ts'

/** Returns whether a text contains template tags; texts without tags are never changed. */
export const isTemplate = (text: string): boolean => /\{[{%#]/.test(text)

/** A tag that is certainly meant as a template, even between quotes: it uses a macro or the time range of the query. */
const macroTag =
  /\{\{-?\s*(?:from_dttm|to_dttm|filter_values|get_filters|get_time_filter|url_param|current_user\w*|user_attribute|cache_key_wrapper)\b/

/**
 * Returns whether a text is not the SQL that was meant unless it is rendered: it has a template tag outside of quotes and comments,
 * or a known macro anywhere.
 */
export function needsRendering(text: string, dialect: string): boolean {
  if (!isTemplate(text)) return false
  if (macroTag.test(text)) return true
  let bare = ''
  let end = 0
  for (const { kind, text: spelled, start } of lex(text, dialect)) {
    const isHidden = kind === 'string' || kind === 'name' || kind === 'comment'
    bare += text.slice(end, start) + (isHidden ? ' ' : text.slice(start, start + spelled.length))
    end = start + spelled.length
  }
  return isTemplate(bare + text.slice(end))
}

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
