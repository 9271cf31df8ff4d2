import { formatter, nullText } from '../shared/formats/format.ts'
import { safeColor } from './paint.ts'
import type { RenderContext } from './render-context.ts'
import { escapeHtml } from './text.ts'

export interface SpecTooltip {
  trigger?: 'axis' | 'item'
  title?: { format?: string }
  /** Format and share of the first row apply to all rows. */
  rows?: { field: string; format?: string; share?: boolean }[]
  sort?: 'value'
  total?: boolean
}

export const maxTooltipRows = 12

export interface TooltipRow {
  name: string
  color: string
  value: string
  share: string | null
  number: number | null
  isHovered: boolean
}
/** Text of an annotation at this position. */
export interface TooltipNote {
  name: string
  color: string
  text: string
}
/** Content of a tooltip before it becomes HTML; the keyboard walk announces the same content. */
export interface TooltipContent {
  title: string
  rows: TooltipRow[]
  more: number
  total: string | null
  notes?: readonly TooltipNote[]
  /** All rows belong to one mark, so each is announced, not only the one under the pointer. */
  isOfOne?: true
}

/** Full number format: tooltips show numbers that an axis may abbreviate to 12.3k in full. */
export const fullFormat = (format: string | undefined): string =>
  (format ?? 'SMART_NUMBER').replace(/SMART_NUMBER$/, 'FULL_NUMBER')

/** Title of a position; times of day include the time zone. */
export function formatTooltipTitle(
  x: number | string | null,
  tooltip: SpecTooltip,
  isTime: boolean,
  around: RenderContext,
): string {
  if (typeof x === 'string') return x
  const text = formatter(tooltip.title?.format ?? (isTime ? 'smart_date' : 'PLAIN_NUMBER'), around.locale)(x)
  return isTime && /\d:\d\d/.test(text) ? `${text} ${around.timeZone}` : text
}

/** Marks a period as incomplete, because its value is not a full one. */
export const unfinishedTitle = (title: string, { translate }: RenderContext): string =>
  translate('picture.unfinished', '{period} (incomplete)', { period: title })

/** Renders the tooltip as HTML. This is the only place that does so, so escaping cannot be missed elsewhere. */
export function renderTooltipHtml(
  { title, rows, more, total, notes = [] }: TooltipContent,
  { translate, theme }: RenderContext,
): string {
  const cells = rows.map(({ name, color, value, share, isHovered }) => {
    const last = share === null ? '' : `<td class="pq-tip-share">${escapeHtml(share)}</td>`
    return `<tr${isHovered && rows.length > 1 ? ' class="pq-tip-on"' : ''}><td class="pq-tip-name"><i style="background:${escapeHtml(safeColor(color, theme))}"></i>${escapeHtml(name)}</td><td class="pq-tip-value">${escapeHtml(value)}</td>${last}</tr>`
  })
  if (more > 0)
    cells.push(
      `<tr class="pq-tip-more"><td colspan="3">${escapeHtml(translate('picture.tip.more', '+{count} more', { count: more }))}</td></tr>`,
    )
  if (total !== null)
    cells.push(
      `<tr class="pq-tip-total"><td class="pq-tip-name">${escapeHtml(translate('picture.tip.total', 'Total'))}</td><td class="pq-tip-value">${escapeHtml(total)}</td></tr>`,
    )
  for (const { name, color, text } of notes)
    cells.push(
      `<tr class="pq-tip-note"><td class="pq-tip-name"><i style="background:${escapeHtml(safeColor(color, theme))}"></i>${escapeHtml(name)}</td><td colspan="2">${escapeHtml(text)}</td></tr>`,
    )
  const head = title ? `<div class="pq-tip-title">${escapeHtml(title)}</div>` : ''
  return `<div class="pq-tip">${head}<table><tbody>${cells.join('')}</tbody></table></div>`
}

/** Text that a screen reader announces for a mark. */
export const formatTooltipText = ({ title, rows, isOfOne, notes = [] }: TooltipContent, name: string): string => {
  if (isOfOne) return [title, ...rows.map((row) => `${row.name}: ${row.value}`)].filter(Boolean).join(', ')
  const row = rows.find(({ isHovered }) => isHovered)
  const value = [row?.value ?? nullText, row?.share].filter(Boolean).join(', ')
  const lines = [`${row?.name ?? name}: ${value}`, ...notes.map((note) => `${note.name}: ${note.text}`)]
  return [title, ...lines].filter(Boolean).join(', ')
}
