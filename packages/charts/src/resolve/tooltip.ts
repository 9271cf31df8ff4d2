import { parseColor } from '../shared/colors/color.ts'
import { formatter } from '../shared/formats/format.ts'
import type { Plot } from './plot.ts'
import { drawnColor } from './series.ts'
import type { Surroundings } from './surroundings.ts'
import { escaped } from './words.ts'

export interface SpecTooltip {
  trigger?: 'axis' | 'item'
  title?: { format?: string }
  /** The first row's format and share hold for all: one row per series. */
  rows?: { field: string; format?: string; share?: boolean }[]
  sort?: 'value'
  total?: boolean
}

const mostRows = 12

export interface TipRow {
  name: string
  color: string
  value: string
  share: string | null
  number: number | null
  isHovered: boolean
}
/** What a tooltip says, before it is HTML; the keyboard walk reads the same out loud. */
export interface Tip {
  title: string
  rows: TipRow[]
  more: number
  total: string | null
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
  const text = formatter(tooltip.title?.format ?? (isTime ? 'smart_date' : 'FULL_NUMBER'), around.locale)(x)
  return isTime && /\d:\d\d/.test(text) ? `${text} ${around.timeZone}` : text
}

/** @param at index along the dimension; @param hovered plot under the pointer, or the only one shown when `only` */
export function tipOf(
  plots: Plot[],
  at: number,
  { tooltip, isTime, hovered, only }: { tooltip: SpecTooltip; isTime: boolean; hovered: number | null; only: boolean },
  around: Surroundings,
): Tip {
  const [row] = tooltip.rows ?? []
  const write = formatter(fullFormat(row?.format), around.locale)
  const percent = formatter(',.1~%', around.locale)
  const isSlices = plots.some(({ items }) => items)
  const sum = isSlices
    ? (plots[0]?.y ?? []).reduce<number>((all, value) => all + (value ?? 0), 0)
    : plots.reduce((all, plot) => all + (plot.y[at] ?? 0), 0)
  const rows = plots.flatMap((plot, i): TipRow[] => {
    const number = plot.y[at] ?? null
    if ((only && i !== hovered) || (number === null && !only)) return []
    const share = row?.share && sum > 0 && number !== null ? percent(number / sum) : null
    const color = drawnColor(plot.items?.[at]?.color ?? plot.color, around.theme)
    const name = isSlices ? String(plot.x[at]) : plot.name
    return [{ name, color, value: write(number), share, number, isHovered: i === hovered }]
  })
  if (tooltip.sort === 'value') rows.sort((a, b) => (b.number ?? 0) - (a.number ?? 0))
  return {
    title: isSlices ? '' : titleOf(plots[0]?.x[at] ?? null, tooltip, isTime, around),
    rows: rows.slice(0, mostRows),
    more: Math.max(0, rows.length - mostRows),
    total: tooltip.total && !only && rows.length > 1 ? write(sum) : null,
  }
}

/** The tooltip as HTML; the only place where it is made, so the only one where escaping could be forgotten. */
export function tipHtml({ title, rows, more, total }: Tip, { say, theme }: Surroundings): string {
  const cells = rows.map(({ name, color, value, share, isHovered }) => {
    const swatch = parseColor(color) ? color : theme.axis
    const last = share === null ? '' : `<td class="pq-tip-share">${escaped(share)}</td>`
    return `<tr${isHovered && rows.length > 1 ? ' class="pq-tip-on"' : ''}><td class="pq-tip-name"><i style="background:${escaped(swatch)}"></i>${escaped(name)}</td><td class="pq-tip-value">${escaped(value)}</td>${last}</tr>`
  })
  if (more > 0)
    cells.push(
      `<tr class="pq-tip-more"><td colspan="3">${escaped(say('charts.tip.more', '+{count} more', { count: more }))}</td></tr>`,
    )
  if (total !== null)
    cells.push(
      `<tr class="pq-tip-total"><td class="pq-tip-name">${escaped(say('charts.tip.total', 'Total'))}</td><td class="pq-tip-value">${escaped(total)}</td></tr>`,
    )
  const head = title ? `<div class="pq-tip-title">${escaped(title)}</div>` : ''
  return `<div class="pq-tip">${head}<table><tbody>${cells.join('')}</tbody></table></div>`
}
