import type { RenderContext } from '../render-context.ts'
import { formatTooltipTitle, unfinishedTitle, type SpecTooltip } from '../tooltip.ts'
import type { Plot } from './plot.ts'

/** Title of a position along the axis. */
export function formatPositionTitle(
  plot: Plot | undefined,
  index: number,
  { tooltip, isTime }: { tooltip: SpecTooltip; isTime: boolean },
  around: RenderContext,
): string {
  const title = formatTooltipTitle(plot?.x[index] ?? null, tooltip, isTime, around)
  return plot?.unfinished === index ? unfinishedTitle(title, around) : title
}
