import { cellAt, numberAt, type Cell, type Frame } from '@parquetry/frame'
import { defineChart, type SpecContext } from '../define.ts'
import { createTranslator } from '../resolve/text.ts'
import { tableInitially } from '../shared/table/query-form.ts'
import { tableQueries } from '../shared/table/query.ts'
import { defaultTemplate, form } from './form.ts'
import { runTemplate } from './template/run-template.ts'
import { TemplateError } from './template/values.ts'

/** Output of the template and the style sheet. */
export interface HandlebarsSpec extends Record<string, unknown> {
  /** HTML and Markdown as written by the template, not yet sanitized. */
  html: string
  css: string
  /** Reason why there is no output: location, message, and the invalid excerpt. */
  error: { title: string; text: string; excerpt: string } | null
  /** Number of rows on all pages, with server pagination. */
  rowcount: number | null
  pageLength: number
  isPaged: boolean
}

/** Rows rendered by a custom template. `rows` contains them; `count` and `totals` exist if configured. */
export default defineChart({
  viz_type: 'handlebars',
  name: 'Handlebars',
  category: '',
  tags: [],
  description: 'Renders the rows with your own HTML template.',
  icon: 'M6 2.5c-1.7 0-2.2.8-2.2 2v1.7C3.800 7.300 3.200 8 2 8c1.200 0 1.800.7 1.800 1.800v1.7c0 1.200.5 2 2.2 2M10 2.5c1.7 0 2.2.8 2.2 2v1.7c0 1.100.6 1.800 1.800 1.800-1.200 0-1.800.7-1.800 1.800v1.7c0 1.200-.5 2-2.2 2',
  series: [],
  behaviors: [],
  form,
  initialSettings: tableInitially,
  queries: (settings, state) => tableQueries(settings, state),
  spec: ({ rows, count, totals }, settings, look): HandlebarsSpec => {
    const context = {
      data: rows ? toTemplateRecords(rows) : [],
      totals: totals && settings.show_totals ? (toTemplateRecords(totals)[0] ?? {}) : {},
    }
    const run = (source: string) => runTemplate(source, { context, locale: look.locale })
    const html = attempt(() => run(settings.handlebarsTemplate || defaultTemplate), 'template', look)
    const css = attempt(() => run(settings.styleTemplate), 'style', look)
    return {
      html: html.text,
      css: css.text,
      error: html.error ?? css.error,
      rowcount: count ? (count.columns[0] && count.rows > 0 ? numberAt(count.columns[0], 0) : 0) : null,
      pageLength: settings.server_page_length,
      isPaged: settings.server_pagination,
    }
  },
})

/** Rows as templates read them: by column name, times as milliseconds, big integers as their digits. */
const toTemplateRecords = (frame: Frame): Record<string, Exclude<Cell, bigint>>[] =>
  Array.from({ length: frame.rows }, (_, row) =>
    Object.fromEntries(
      frame.columns.map((column) => {
        const cell = cellAt(column, row)
        return [column.name, typeof cell === 'bigint' ? String(cell) : cell]
      }),
    ),
  )

function attempt(
  run: () => string,
  source: 'template' | 'style',
  context: SpecContext,
): { text: string; error: HandlebarsSpec['error'] } {
  try {
    return { text: run(), error: null }
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    return { text: '', error: describeError(error, source, context) }
  }
}

function describeError({ kind, line, detail }: TemplateError, source: 'template' | 'style', context: SpecContext) {
  const say = createTranslator(context)
  const title =
    source === 'template'
      ? say('picture.handlebars.template', 'Template error on line {line}', { line })
      : say('picture.handlebars.style', 'CSS error on line {line}', { line })
  const text = {
    syntax: say('picture.handlebars.syntax', 'The syntax is not valid.'),
    helper: say('picture.handlebars.helper', 'Unknown helper “{name}”.', { name: detail }),
    partial: say('picture.handlebars.partial', 'Unknown partial “{name}”.', { name: detail }),
    steps: say('picture.handlebars.steps', 'Rendering takes too many steps.'),
    length: say('picture.handlebars.length', 'The result is too long.'),
    failed: detail,
  }[kind]
  return { title, text, excerpt: kind === 'syntax' ? detail : '' }
}
