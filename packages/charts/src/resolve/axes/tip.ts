import { formatter } from '../../shared/formats/format.ts'
import { drawnColor } from '../paint.ts'
import type { Surroundings } from '../surroundings.ts'
import { fullFormat, mostRows, type SpecTooltip, type Tip, type TipRow } from '../tooltip.ts'
import type { Plot } from './plot.ts'
import { titleAt } from './title.ts'

/**
 * @param at index along the axis
 * @param hovered plot under the pointer, or the only one that is said when `only`
 */
export function axesTip(
  plots: readonly Plot[],
  at: number,
  { tooltip, isTime, hovered, only }: { tooltip: SpecTooltip; isTime: boolean; hovered: number | null; only: boolean },
  around: Surroundings,
): Tip {
  const [row] = tooltip.rows ?? []
  const writer = (format: string | undefined) => formatter(fullFormat(format), around.locale)
  const write = writer(row?.format)
  const percent = formatter(',.1~%', around.locale)
  const sum = plots.reduce((all, plot) => all + (plot.y[at] ?? 0), 0)
  const rows = plots.flatMap((plot, i): TipRow[] => {
    const number = plot.y[at] ?? null
    if ((only && i !== hovered) || (number === null && !only)) return []
    const share = row?.share && sum > 0 && number !== null ? percent(number / sum) : null
    const color = drawnColor(plot.color, around.theme)
    return [
      {
        name: plot.name,
        color,
        value: (plot.format ? writer(plot.format) : write)(number),
        share,
        number,
        isHovered: i === hovered,
      },
    ]
  })
  if (tooltip.sort === 'value') rows.sort((a, b) => (b.number ?? 0) - (a.number ?? 0))
  return {
    title: titleAt(plots[0], at, { tooltip, isTime }, around),
    rows: rows.slice(0, mostRows),
    more: Math.max(0, rows.length - mostRows),
    total: tooltip.total && !only && rows.length > 1 ? write(sum) : null,
  }
}
