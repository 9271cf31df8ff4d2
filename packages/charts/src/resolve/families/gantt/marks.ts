import type { Cell } from '@parquetry/frame'
import type { Move } from '../../layer.ts'
import type { SpecSeries } from '../family.ts'

/** Spec of a Gantt chart. */
export interface GanttSeries {
  name: string
  /** Rows from top to bottom, each as high as its lanes. */
  rows: { name: string; lanes: number }[]
  /** Groups distinguished by color; a single one without a name if there is no grouping. */
  groups: { name: string; color: string }[]
  data: GanttBar[]
  /** Number of response rows that are not bars, by problem. */
  omitted: { open: number; backward: number }
  /** Limits of the axis in milliseconds; null to derive them from the bars. */
  bounds: [number | null, number | null]
  formats: { axis: string; time: string }
  titles: { x: string; y: string }
  isZoomable: boolean
}

/** A bar from a start time to an end time, in milliseconds. */
export interface GanttBar {
  /** Indexes in `rows` and `groups`. */
  row: number
  group: number
  /** Index among all lanes; the uppermost is 0. */
  lane: number
  from: number
  to: number
  key: Record<string, Cell>
  /** Columns of the response that a click passes to the surrounding page. */
  times: Record<string, Cell>
  /** Additional tooltip rows: a label and its value. */
  details: [name: string, value: string][]
}

export type Gantt = Omit<GanttSeries, 'data'> & { bars: GanttBar[]; laneCount: number }

/** Reads the bars in keyboard order: lane by lane, by time in each. */
export function readGantt(series: SpecSeries): Gantt {
  const { data, ...given } = series as unknown as GanttSeries
  return {
    ...given,
    bars: data.toSorted((a, b) => a.lane - b.lane || a.from - b.from || a.to - b.to),
    laneCount: given.rows.reduce((sum, { lanes }) => sum + lanes, 0),
  }
}

/** Time range of all bars; null without bars. */
export function findTimeSpan(bars: readonly GanttBar[]): [number, number] | null {
  if (bars.length === 0) return null
  return bars.reduce<[number, number]>(
    ([low, high], { from, to }) => [Math.min(low, from), Math.max(high, to)],
    [Infinity, -Infinity],
  )
}

/**
 * Left and right move along a lane and on into the next one; up and down move to the bar of the adjacent lane with the nearest
 * start.
 */
export function navigateBars({ bars }: Gantt, index: number | null, move: Move): number | null {
  if (bars.length === 0) return null
  const here = index === null ? undefined : bars[index]
  if (index === null || !here) return move === 'previous' || move === 'last' ? bars.length - 1 : 0
  if (move === 'first') return 0
  if (move === 'last') return bars.length - 1
  if (move === 'next') return Math.min(bars.length - 1, index + 1)
  if (move === 'previous') return Math.max(0, index - 1)
  const others = bars.filter(({ lane }) => (move === 'down' ? lane > here.lane : lane < here.lane))
  const lane = (move === 'down' ? others[0] : others.at(-1))?.lane
  const near = others
    .filter((bar) => bar.lane === lane)
    .reduce<GanttBar | null>(
      (best, bar) => (best && Math.abs(best.from - here.from) <= Math.abs(bar.from - here.from) ? best : bar),
      null,
    )
  return near ? bars.indexOf(near) : null
}
