import { formatter, nullText } from '../shared/formats/format.ts'
import { safeColor } from './paint.ts'
import type { Surroundings } from './surroundings.ts'
import { escaped } from './words.ts'

export interface SpecTooltip {
  trigger?: 'axis' | 'item'
  title?: { format?: string }
  /** The first row's format and share hold for all. */
  rows?: { field: string; format?: string; share?: boolean }[]
  sort?: 'value'
  total?: boolean
}

export const mostRows = 12

export interface TipRow {
  name: string
  color: string
  value: string
  share: string | null
  number: number | null
  isHovered: boolean
}
/** What is laid over the data says something of this place. */
export interface TipNote {
  name: string
  color: string
  text: string
}
/** What a tooltip says, before it is HTML; the keyboard walk reads the same out loud. */
export interface Tip {
  title: string
  rows: TipRow[]
  more: number
  total: string | null
  notes?: readonly TipNote[]
  /** Its rows are all of one mark: each is read out, not the one under the pointer alone. */
  isOfOne?: true
}

/** Numbers in full: what an axis may shorten to 12.3k, a tooltip writes out. */
export const fullFormat = (format: string | undefined): string =>
  (format ?? 'SMART_NUMBER').replace(/SMART_NUMBER$/, 'FULL_NUMBER')

/** A time with a time of day is said with its zone. */
export function titleOf(
  x: number | string | null,
  tooltip: SpecTooltip,
  isTime: boolean,
  around: Surroundings,
): string {
  if (typeof x === 'string') return x
  const text = formatter(tooltip.title?.format ?? (isTime ? 'smart_date' : 'PLAIN_NUMBER'), around.locale)(x)
  return isTime && /\d:\d\d/.test(text) ? `${text} ${around.timeZone}` : text
}

/** A period that is not over is said so: what stands there is no whole. */
export const unfinishedTitle = (title: string, { say }: Surroundings): string =>
  say('picture.unfinished', '{period} (incomplete)', { period: title })

/** The tooltip as HTML; the only place where it is made, so the only one where escaping could be forgotten. */
export function tipHtml({ title, rows, more, total, notes = [] }: Tip, { say, theme }: Surroundings): string {
  const cells = rows.map(({ name, color, value, share, isHovered }) => {
    const last = share === null ? '' : `<td class="pq-tip-share">${escaped(share)}</td>`
    return `<tr${isHovered && rows.length > 1 ? ' class="pq-tip-on"' : ''}><td class="pq-tip-name"><i style="background:${escaped(safeColor(color, theme))}"></i>${escaped(name)}</td><td class="pq-tip-value">${escaped(value)}</td>${last}</tr>`
  })
  if (more > 0)
    cells.push(
      `<tr class="pq-tip-more"><td colspan="3">${escaped(say('picture.tip.more', '+{count} more', { count: more }))}</td></tr>`,
    )
  if (total !== null)
    cells.push(
      `<tr class="pq-tip-total"><td class="pq-tip-name">${escaped(say('picture.tip.total', 'Total'))}</td><td class="pq-tip-value">${escaped(total)}</td></tr>`,
    )
  for (const { name, color, text } of notes)
    cells.push(
      `<tr class="pq-tip-note"><td class="pq-tip-name"><i style="background:${escaped(safeColor(color, theme))}"></i>${escaped(name)}</td><td colspan="2">${escaped(text)}</td></tr>`,
    )
  const head = title ? `<div class="pq-tip-title">${escaped(title)}</div>` : ''
  return `<div class="pq-tip">${head}<table><tbody>${cells.join('')}</tbody></table></div>`
}

/** What a screen reader reads at a mark. */
export const tipText = ({ title, rows, isOfOne, notes = [] }: Tip, name: string): string => {
  if (isOfOne) return [title, ...rows.map((row) => `${row.name}: ${row.value}`)].filter(Boolean).join(', ')
  const row = rows.find(({ isHovered }) => isHovered)
  const value = [row?.value ?? nullText, row?.share].filter(Boolean).join(', ')
  const said = [`${row?.name ?? name}: ${value}`, ...notes.map((note) => `${note.name}: ${note.text}`)]
  return [title, ...said].filter(Boolean).join(', ')
}
