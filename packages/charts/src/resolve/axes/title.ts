import type { Surroundings } from '../surroundings.ts'
import { titleOf, unfinishedTitle, type SpecTooltip } from '../tooltip.ts'
import type { Plot } from './plot.ts'

/** What a place along the axis is called. */
export function titleAt(
  plot: Plot | undefined,
  at: number,
  { tooltip, isTime }: { tooltip: SpecTooltip; isTime: boolean },
  around: Surroundings,
): string {
  const title = titleOf(plot?.x[at] ?? null, tooltip, isTime, around)
  return plot?.unfinished === at ? unfinishedTitle(title, around) : title
}
