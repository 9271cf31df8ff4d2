import { readPlot, type Plot } from '../../axes/plot.ts'
import type { Items } from '../../items/items-family.ts'
import type { Move } from '../../layer.ts'
import type { ReadContext, SpecSeries } from '../family.ts'

/** Limit of the bands of a row: its own numbers, those of all rows, or its own changes from the first number. */
export type RowScale = 'series' | 'overall' | 'change'

export interface HorizonRow extends Plot {
  /** Drawn values: the numbers, or their differences from the first one. */
  drawn: (number | null)[]
  /** Largest distance from zero that the bands cover. */
  reach: number
}

/** Rows whose marks are numbered row by row, by time in each. */
export interface HorizonMarks extends Items {
  rows: HorizonRow[]
  isTime: boolean
  scale: RowScale
  format: string
}

export function readHorizon(series: SpecSeries, reading: ReadContext): HorizonMarks {
  const {
    rows: given,
    isTime,
    scale,
    format,
    unfinished,
  } = series as unknown as {
    rows: SpecSeries[]
    isTime: boolean
    scale: RowScale
    format: string
    unfinished?: number
  }
  const axis = { type: isTime ? 'time' : 'category', unfinished } as const
  const plots = given
    .map((row) => readPlot(row, { ...reading, axis, isFlipped: false }))
    .map((plot) => ({ ...plot, y: plot.y.map((value) => (Number.isFinite(value) ? value : null)) }))
  const rows = plots.map((plot): HorizonRow => {
    const first = plot.y.find((value) => value !== null) ?? 0
    // the difference of two large numbers is infinite
    const change = (value: number) => Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value - first))
    const drawn = plot.y.map((value) => (value === null || scale !== 'change' ? value : change(value)))
    return { ...plot, drawn, reach: maxMagnitude(drawn) }
  })
  const all = rows.reduce((most, { reach }) => Math.max(most, reach), 0)
  return {
    name: series.name ?? '',
    color: '',
    items: rows.flatMap(({ name, key, y }) => y.map((value) => ({ name, key, value }))),
    rows: scale === 'overall' ? rows.map((row) => ({ ...row, reach: all })) : rows,
    isTime,
    scale,
    format,
  }
}

const maxMagnitude = (values: readonly (number | null)[]): number =>
  values.reduce<number>((most, value) => Math.max(most, Math.abs(value ?? 0)), 0)

/** Number of positions along the axis. */
export const lengthOf = ({ rows }: HorizonMarks): number => rows[0]?.y.length ?? 0
export const locateHorizonMark = (marks: HorizonMarks, index: number): { row: number; place: number } => ({
  row: Math.floor(index / (lengthOf(marks) || 1)),
  place: index % (lengthOf(marks) || 1),
})

/** Left and right move in time, up and down from row to row. */
export function navigateRows(marks: HorizonMarks, index: number | null, move: Move): number | null {
  const length = lengthOf(marks)
  if (marks.items.length === 0) return null
  if (index === null) return move === 'previous' || move === 'last' ? length - 1 : 0
  const { row, place } = locateHorizonMark(marks, index)
  const to = {
    next: [row, Math.min(length - 1, place + 1)],
    previous: [row, Math.max(0, place - 1)],
    first: [row, 0],
    last: [row, length - 1],
    down: [row + 1, place],
    up: [row - 1, place],
  }[move] as [number, number]
  return to[0] < 0 || to[0] >= marks.rows.length ? null : to[0] * length + to[1]
}
