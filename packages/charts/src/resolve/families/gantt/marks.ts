import type { Cell } from '@parquetry/frame'
import type { Move } from '../../layer.ts'
import type { SpecSeries } from '../family.ts'

/** What the spec of a Gantt chart says. */
export interface GanttSeries {
  name: string
  /** From top to bottom, each as high as its lanes. */
  rows: { name: string; lanes: number }[]
  /** What the colours tell apart; one without a name where nothing does. */
  groups: { name: string; color: string }[]
  data: GanttBar[]
  /** Rows of the answer that are no bars, by what is wrong with them. */
  lost: { open: number; backward: number }
  /** Ends of the axis in milliseconds; null where the bars decide. */
  bounds: [number | null, number | null]
  formats: { axis: string; time: string }
  titles: { x: string; y: string }
  isZoomable: boolean
}

/** From a time to another one, in milliseconds. */
export interface GanttBar {
  /** Of `rows` and of `groups`. */
  row: number
  group: number
  /** Of all lanes, the uppermost is 0. */
  lane: number
  from: number
  to: number
  key: Record<string, Cell>
  /** Columns of the answer: what a click tells its surroundings. */
  times: Record<string, Cell>
  /** What else the tooltip says: a word and its value. */
  details: [name: string, value: string][]
}

export type Gantt = Omit<GanttSeries, 'data'> & { bars: GanttBar[]; laneCount: number }

/** In the order in which they are walked: lane by lane, along time in each. */
export function readGantt(series: SpecSeries): Gantt {
  const { data, ...given } = series as unknown as GanttSeries
  return {
    ...given,
    bars: data.toSorted((a, b) => a.lane - b.lane || a.from - b.from || a.to - b.to),
    laneCount: given.rows.reduce((sum, { lanes }) => sum + lanes, 0),
  }
}

/** From where to where all bars go; null where there are none. */
export function findTimeSpan(bars: readonly GanttBar[]): [number, number] | null {
  if (bars.length === 0) return null
  return bars.reduce<[number, number]>(
    ([low, high], { from, to }) => [Math.min(low, from), Math.max(high, to)],
    [Infinity, -Infinity],
  )
}

/** Left and right along a lane and on into the next one; up and down to the bar of another lane that begins nearest. */
export function navigateBars({ bars }: Gantt, at: number | null, move: Move): number | null {
  if (bars.length === 0) return null
  const here = at === null ? undefined : bars[at]
  if (at === null || !here) return move === 'previous' || move === 'last' ? bars.length - 1 : 0
  if (move === 'first') return 0
  if (move === 'last') return bars.length - 1
  if (move === 'next') return Math.min(bars.length - 1, at + 1)
  if (move === 'previous') return Math.max(0, at - 1)
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
