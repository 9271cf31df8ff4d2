import { cellAt, type Cell, type Column } from '@parquetry/frame'
import type { SpecContext } from '../define.ts'
import { resolveLocale } from '../shared/formats/locale.ts'
import { dimensionFormatter } from '../shared/items.ts'
import { endOfPeriod } from '../shared/grain.ts'

export type HeatmapSort = 'alpha_asc' | 'alpha_desc' | 'value_asc' | 'value_desc'

/** Labels along one side of the grid. */
export interface HeatmapAxis {
  /** Name of the result column. */
  column: string
  isTime: boolean
  isNumber: boolean
  values: Cell[]
  labels: string[]
  /** Position along the side, by result row. */
  places: number[]
}

interface Options {
  sort: HeatmapSort | null | undefined
  dateFormat: string
  /** Missing times of this grain have a position too, so that gaps are visible. */
  grain?: string | null | undefined
  context: SpecContext
}

/** Maximum number of positions with gaps: a grain of seconds over years would be endless. */
const maxFilledPlaces = 2000

/** @param sizes values of the rows; sorting by value uses the sum per label */
export function buildHeatmapAxis(column: Column, sizes: readonly (number | null)[], options: Options): HeatmapAxis {
  const { sort, context } = options
  const sums = new Map<Cell, number>()
  const cells = sizes.map((size, row) => {
    const cell = cellAt(column, row)
    sums.set(cell, (sums.get(cell) ?? 0) + (size ?? 0))
    return cell
  })
  const isTime = column.kind === 'time'
  const sign = sort?.endsWith('desc') ? -1 : 1
  const names = new Intl.Collator(resolveLocale(context.locale).name, { numeric: true })
  const along = (one: Cell, other: Cell) => sign * compareCells(one, other, names)
  const byValue = (one: Cell, other: Cell) =>
    sign * ((sums.get(one) ?? 0) - (sums.get(other) ?? 0)) || compareCells(one, other, names)
  const isByValue = sort?.startsWith('value') ?? false
  const found = [...sums.keys()].filter((cell) => cell !== null).toSorted(isByValue ? byValue : along)
  const filled = isTime && !isByValue ? withGaps(found as number[], options.grain) : found
  const values = sums.has(null) ? [...filled, null] : filled
  const placeOf = new Map(values.map((value, place) => [value, place]))
  const nameOf = dimensionFormatter(context, options.dateFormat)
  return {
    column: column.name,
    isTime,
    isNumber: ['number', 'bigint', 'decimal'].includes(column.kind),
    values,
    labels: values.map((value) => nameOf(column, value)),
    places: cells.map((cell) => placeOf.get(cell) ?? 0),
  }
}

function compareCells(one: Cell, other: Cell, names: Intl.Collator): number {
  if (typeof one === 'string' && typeof other === 'string') return names.compare(one, other)
  return one === other ? 0 : (one ?? '') < (other ?? '') ? -1 : 1
}

function withGaps(times: number[], grain: string | null | undefined): number[] {
  const [low, high] = [Math.min(...times), Math.max(...times)]
  if (!grain || times.length < 2) return times
  const all: number[] = []
  for (let index: number | null = low; index !== null && index <= high; index = endOfPeriod(index, grain)) {
    all.push(index)
    if (all.length > maxFilledPlaces) return times
  }
  const known = new Set(all)
  if (!times.every((time) => known.has(time))) return times
  return times[0] === high ? all.toReversed() : all
}
