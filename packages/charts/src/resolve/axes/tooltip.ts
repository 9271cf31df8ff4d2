import { formatter } from '../../shared/formats/format.ts'
import { toThemeColor } from '../paint.ts'
import type { RenderContext } from '../render-context.ts'
import { fullFormat, maxTooltipRows, type SpecTooltip, type TooltipContent, type TooltipRow } from '../tooltip.ts'
import type { Plot } from './plot.ts'
import { formatPositionTitle } from './title.ts'

/**
 * @param at index along the axis
 * @param hovered plot under the pointer, or the only one shown if `only`
 */
export function buildAxesTooltip(
  plots: readonly Plot[],
  at: number,
  { tooltip, isTime, hovered, only }: { tooltip: SpecTooltip; isTime: boolean; hovered: number | null; only: boolean },
  around: RenderContext,
): TooltipContent {
  const [row] = tooltip.rows ?? []
  const writer = (format: string | undefined) => formatter(fullFormat(format), around.locale)
  const write = writer(row?.format)
  const percent = formatter(',.1~%', around.locale)
  const isReckoned = plots.some(({ range, y }) => range && (y[at] ?? null) !== null)
  const sum = plots.reduce((all, plot) => all + (plot.y[at] ?? 0), 0)
  const rows = plots.flatMap((plot, i): TooltipRow[] => {
    const number = plot.y[at] ?? null
    if ((only && i !== hovered) || (number === null && !only)) return []
    const share = row?.share && sum > 0 && number !== null ? percent(number / sum) : null
    const color = toThemeColor(plot.color, around.theme)
    return [
      {
        name: plot.name,
        color,
        value: formatWithRange(plot, at, plot.format ? writer(plot.format) : write),
        share,
        number,
        isHovered: i === hovered,
      },
    ]
  })
  if (tooltip.sort === 'value') rows.sort((a, b) => (b.number ?? 0) - (a.number ?? 0))
  return {
    title: formatPositionTitle(plots[0], at, { tooltip, isTime }, around),
    rows: rows.slice(0, maxTooltipRows),
    more: Math.max(0, rows.length - maxTooltipRows),
    total: tooltip.total && !only && rows.length > 1 ? `${isReckoned ? '≈ ' : ''}${write(sum)}` : null,
  }
}

/** Formats a number, followed by its expected range if it has one. */
export function formatWithRange({ y, range }: Plot, at: number, write: (value: number | null) => string): string {
  const value = write(y[at] ?? null)
  return range ? `≈ ${value} (${write(range.low[at] ?? null)} – ${write(range.high[at] ?? null)})` : value
}
