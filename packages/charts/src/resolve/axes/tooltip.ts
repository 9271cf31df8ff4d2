import { formatter } from '../../shared/formats/format.ts'
import { toThemeColor } from '../paint.ts'
import type { RenderContext } from '../render-context.ts'
import { fullFormat, maxTooltipRows, type SpecTooltip, type TooltipContent, type TooltipRow } from '../tooltip.ts'
import type { Plot } from './plot.ts'
import { formatPositionTitle } from './title.ts'

/**
 * @param index index along the axis
 * @param hovered plot under the pointer, or the only one shown if `only`
 */
export function buildAxesTooltip(
  plots: readonly Plot[],
  index: number,
  { tooltip, isTime, hovered, only }: { tooltip: SpecTooltip; isTime: boolean; hovered: number | null; only: boolean },
  around: RenderContext,
): TooltipContent {
  const [row] = tooltip.rows ?? []
  const writer = (format: string | undefined) => formatter(fullFormat(format), around.locale)
  const write = writer(row?.format)
  const percent = formatter(',.1~%', around.locale)
  const isReckoned = plots.some(({ range, y }) => range && (y[index] ?? null) !== null)
  const sum = plots.reduce((all, plot) => all + (plot.y[index] ?? 0), 0)
  const rows = plots.flatMap((plot, i): TooltipRow[] => {
    const number = plot.y[index] ?? null
    if ((only && i !== hovered) || (number === null && !only)) return []
    const share = row?.share && sum > 0 && number !== null ? percent(number / sum) : null
    const color = toThemeColor(plot.color, around.theme)
    return [
      {
        name: plot.name,
        color,
        value: formatWithRange(plot, index, plot.format ? writer(plot.format) : write),
        share,
        number,
        isHovered: i === hovered,
      },
    ]
  })
  if (tooltip.sort === 'value') rows.sort((a, b) => (b.number ?? 0) - (a.number ?? 0))
  return {
    title: formatPositionTitle(plots[0], index, { tooltip, isTime }, around),
    rows: rows.slice(0, maxTooltipRows),
    more: Math.max(0, rows.length - maxTooltipRows),
    total: tooltip.total && !only && rows.length > 1 ? `${isReckoned ? '≈ ' : ''}${write(sum)}` : null,
  }
}

/** Formats a number, followed by its expected range if it has one. */
export function formatWithRange({ y, range }: Plot, index: number, write: (value: number | null) => string): string {
  const value = write(y[index] ?? null)
  return range ? `≈ ${value} (${write(range.low[index] ?? null)} – ${write(range.high[index] ?? null)})` : value
}
