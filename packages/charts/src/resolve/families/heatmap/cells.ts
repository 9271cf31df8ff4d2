import type { Cell as Value } from '@parquetry/frame'
import { ramps, rampColor } from '../../../shared/colors/ramps.ts'
import type { Move } from '../../layer.ts'
import type { MarkFacts } from '../../marks.ts'
import type { ChartTheme } from '../../theme.ts'
import type { Items } from '../../items/items-family.ts'
import { othersColor } from '../../paint.ts'
import type { SpecItem, SpecSeries } from '../family.ts'

export interface HeatmapCell extends SpecItem {
  x: number
  y: number
  value: number | null
  /** Position along the ramp from 0 to 1; null without a value. */
  place: number | null
  /** Share of the sum that it is compared with; null if that is not a whole, as with negative numbers. */
  share: number | null
}

interface Side {
  column: string
  isTime: boolean
  /** Times are formatted adaptively, like those of an axis. */
  isAdaptive?: boolean
  isNumber: boolean
  values: Value[]
  labels: string[]
}

export interface HeatmapGrid extends Items<HeatmapCell> {
  measure: string
  x: Side
  y: Side
  ramp: string
  /** Values at the ends of the ramp; null if each column or row has its own range, or cells are ranked. */
  range: [low: number, high: number] | null
  across: 'heatmap' | 'x' | 'y'
  /** Number of color steps; null for continuous colors. */
  pieces: number | null
  at: ReadonlyMap<string, number>
}

/** Steps of a piecewise legend. */
const steps = 5

const cellKey = (x: number, y: number) => `${x} ${y}`

export function readHeatmap(series: SpecSeries): HeatmapGrid {
  const {
    name = '',
    measure,
    x,
    y,
    ramp,
    across,
    isRanked,
    bounds,
  } = series as SpecSeries &
    Omit<HeatmapGrid, 'name'> & {
      isRanked: boolean
      bounds: (number | null)[]
    }
  const data = (series.data ?? []) as unknown as [x: number, y: number, value: number | null, rank: number | null][]
  const groupOf = ([column, row]: (typeof data)[number]) => (across === 'x' ? column : across === 'y' ? row : 0)
  const groups = new Map<number, Extent>()
  for (const cell of data)
    if (cell[2] !== null) groups.set(groupOf(cell), extendExtent(groups.get(groupOf(cell)), cell[2]))
  const isCommon = across === 'heatmap' && !isRanked
  const range = isCommon ? resolveRange(groups.get(0), bounds, ramp) : null
  const placeOf = (cell: (typeof data)[number]): number | null => {
    const [, , value, rank] = cell
    if (value === null) return null
    if (isRanked) return rank
    const { low = 0, high = 0 } = groups.get(groupOf(cell)) ?? {}
    return range ? toFraction(value, range) : toFraction(value, [low, high])
  }
  return {
    name,
    color: othersColor,
    measure,
    x,
    y,
    ramp,
    range,
    across,
    pieces: series.legendType === 'piecewise' ? steps : null,
    items: data.map((cell) => {
      const { sum = 0, low = 0 } = groups.get(groupOf(cell)) ?? {}
      const share = cell[2] !== null && low >= 0 && sum > 0 && Number.isFinite(sum) ? cell[2] / sum : null
      const called = [x.labels[cell[0]], y.labels[cell[1]]].join(', ')
      return { name: called, x: cell[0], y: cell[1], value: cell[2], place: placeOf(cell), share }
    }),
    at: new Map(data.map(([column, row], index) => [cellKey(column, row), index])),
  }
}

interface Extent {
  low: number
  high: number
  sum: number
}

const extendExtent = (extent: Extent | undefined, value: number): Extent => ({
  low: Math.min(extent?.low ?? value, value),
  high: Math.max(extent?.high ?? value, value),
  sum: (extent?.sum ?? 0) + value,
})

/** Zero is the middle of a diverging ramp. */
function resolveRange(
  extent: Extent | undefined,
  [least, most]: readonly (number | null)[],
  ramp: string,
): [number, number] {
  const { low, high } = extent ?? { low: 0, high: 1 }
  if (ramps[ramp]?.isDiverging && least == null && most == null && low < 0 && high > 0) {
    const far = Math.max(-low, high)
    return [-far, far]
  }
  return [least ?? low, most ?? high]
}

/**
 * Position along the ramp. If all cells are equal they are in the middle. The difference of two large numbers is infinite, so
 * each is divided first.
 */
function toFraction(value: number, [low, high]: readonly [number, number]): number {
  const part = high > low ? (value / 4 - low / 4) / (high / 4 - low / 4) : 0.5
  return Math.min(1, Math.max(0, part))
}

/** Fill color; a cell without a value has a neutral one. */
export const resolveCellColor = ({ place }: HeatmapCell, { ramp, pieces }: HeatmapGrid, theme: ChartTheme): string =>
  place === null ? theme.sunken : rampColor(ramp, pieces === null ? place : quantize(place, pieces), theme.name)

/** Position along the ramp of the color of the piece that contains `place`. */
export const quantize = (place: number, pieces: number): number =>
  Math.min(pieces - 1, Math.floor(place * pieces)) / (pieces - 1)

/** Moves to the next existing cell in the row or column. */
export function navigateCells(
  { items, at: places, x, y }: HeatmapGrid,
  index: number | null,
  move: Move,
  isUpward: boolean,
): number | null {
  if (items.length === 0) return null
  const here = index === null ? undefined : items[index]
  const line = (from: number, step: number, length: number, keyed: (place: number) => string): number | null => {
    for (let place = from; place >= 0 && place < length; place += step) {
      const found = places.get(keyed(place))
      if (found !== undefined) return found
    }
    return null
  }
  if (!here) {
    for (let row = 0; row < y.labels.length; row++) {
      const first = isUpward ? y.labels.length - 1 - row : row
      const found = line(0, 1, x.labels.length, (place) => cellKey(place, first))
      if (found !== null) return found
    }
    return null
  }
  const inRow = (place: number) => cellKey(place, here.y)
  const inColumn = (place: number) => cellKey(here.x, place)
  const down = isUpward ? -1 : 1
  switch (move) {
    case 'next':
      return line(here.x + 1, 1, x.labels.length, inRow)
    case 'previous':
      return line(here.x - 1, -1, x.labels.length, inRow)
    case 'first':
      return line(0, 1, x.labels.length, inRow)
    case 'last':
      return line(x.labels.length - 1, -1, x.labels.length, inRow)
    case 'down':
      return line(here.y + down, down, y.labels.length, inColumn)
    case 'up':
      return line(here.y - down, -down, y.labels.length, inColumn)
  }
}

/** Facts of a cell: a time along x is for drilling with its grain, all other sides are dimensions. */
export function readCellFacts(grid: HeatmapGrid, index: number): MarkFacts | null {
  const cell = grid.items[index]
  if (!cell) return null
  const { x, y } = grid
  const [across, up] = [x.values[cell.x] ?? null, y.values[cell.y] ?? null]
  return {
    key: { ...(!x.isTime && { [x.column]: across }), [y.column]: up },
    ...(x.isTime && { along: { column: x.column, value: across, axis: 'time' as const } }),
    values: { [grid.measure]: cell.value },
    name: cell.name,
  }
}
