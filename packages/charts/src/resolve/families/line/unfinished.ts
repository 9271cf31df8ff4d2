import type { SeriesPlacement, SpecSeries } from '../family.ts'
import { toDataPairs, type Plot } from '../../axes/plot.ts'
import { emptyMark } from '../../paint.ts'
import type { ChartTheme } from '../../theme.ts'

/** Position whose period is incomplete, if a line leads to it. */
export const unfinishedAt = ({ unfinished }: Plot): number | null => (unfinished ? unfinished : null)

/** Data of a line that stops before the incomplete position, which is an isolated point after a gap. */
export function toPairsWithGap(plot: Plot, place: SeriesPlacement): unknown[] {
  const at = unfinishedAt(plot)
  if (at === null) return toDataPairs(plot, place)
  const x = Number(plot.x[at]) - 1
  return toDataPairs({ ...plot, x: plot.x.toSpliced(at, 0, x), y: plot.y.toSpliced(at, 0, null) }, place)
}

/** The dashed segment to the incomplete position, as a separate series because a line cannot change its dash pattern. */
export function buildUnfinishedSegment(
  index: number,
  plot: Plot,
  place: SeriesPlacement,
  series: SpecSeries,
  { color, opacity, theme }: { color: string; opacity: number | undefined; theme: ChartTheme },
) {
  const [from, to] = toDataPairs(
    { ...plot, x: plot.x.slice(index - 1, index + 1), y: plot.y.slice(index - 1, index + 1) },
    place,
  )
  const area = series.areaStyle as { opacity?: number } | undefined
  return {
    type: 'line',
    id: `unfinished ${plot.name}`,
    name: plot.name,
    color,
    silent: true,
    animation: false,
    tooltip: { show: false },
    emphasis: { disabled: true },
    ...(series.step !== undefined && { step: series.step }),
    ...(series.yAxisIndex !== undefined && { yAxisIndex: series.yAxisIndex }),
    ...(plot.stack !== undefined && { stack: `unfinished ${plot.stack}` }),
    lineStyle: { width: 2, opacity, ...(series.lineStyle as object), type: [4, 4] },
    ...(area && { areaStyle: { ...area, opacity: ((area.opacity ?? 0.2) * (opacity ?? 1)) / 2 } }),
    symbol: 'circle',
    symbolSize: 6,
    showSymbol: true,
    data: [
      { value: from, symbol: 'none' },
      { value: to, itemStyle: { ...emptyMark(color, theme), opacity } },
    ],
  }
}
