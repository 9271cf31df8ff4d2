import type { Cell } from '@parquetry/frame'
import { findColumn } from '../../../shared/column.ts'
import { readPlot, type AxisType, type Plot } from '../../axes/plot.ts'
import type { Move } from '../../layer.ts'
import { othersColor } from '../../paint.ts'
import type { ReadContext, SpecSeries } from '../family.ts'

/** A series around the center, with one segment in each petal. */
export interface RoseSeries extends Plot {
  /** Part of the petal's angle that the series uses; 0 is the period itself, others are comparison periods. */
  lane: number
  isCompared: boolean
}

/** Marks are numbered series by series, along the petals. */
export interface RoseMarks {
  name: string
  axis: AxisType
  segments: RoseSeries[]
}

interface Petal {
  name: string
  column: string
  color?: string
  key?: Record<string, Cell>
  lane?: number
  isCompared?: boolean
}

export function readRose(series: SpecSeries, { frames, locale }: ReadContext): RoseMarks {
  const along = String(series.along)
  const [frame] = Object.values(frames)
  const axis: AxisType = frame && findColumn(frame, along)?.kind === 'time' ? 'time' : 'category'
  const unfinished = typeof series.unfinished === 'number' ? series.unfinished : undefined
  const segments = ((series.petals ?? []) as Petal[]).map(
    ({ column, lane = 0, isCompared = false, ...petal }): RoseSeries => {
      const points = { x: { column: along }, y: { column } }
      const read = readPlot(
        { color: othersColor, ...petal, type: series.type, points },
        { frames, locale, isFlipped: false, axis: { type: axis, unfinished } },
      )
      const y = read.y.map((value) => (value !== null && Number.isFinite(value) ? value : null))
      return { ...read, y, lane, isCompared }
    },
  )
  return { name: series.name ?? '', axis, segments }
}

export const countPetals = ({ segments }: RoseMarks): number => segments[0]?.x.length ?? 0

/** Splits the index of a mark into series and petal. */
export const locateRoseMark = (marks: RoseMarks, index: number): { series: number; at: number } => {
  const petals = countPetals(marks) || 1
  return { series: Math.floor(index / petals), at: index % petals }
}

/** Left and right move from petal to petal, up and down from series to series. */
export function navigateRose(marks: RoseMarks, place: number | null, move: Move): number | null {
  const last = { series: marks.segments.length - 1, at: countPetals(marks) - 1 }
  if (last.series < 0 || last.at < 0) return null
  const { series, at } =
    place === null ? { series: 0, at: move === 'previous' ? last.at : 0 } : locateRoseMark(marks, place)
  const moved = {
    next: { series, at: Math.min(last.at, at + 1) },
    previous: { series, at: Math.max(0, at - 1) },
    first: { series, at: 0 },
    last: { series, at: last.at },
    down: { series: series + 1, at },
    up: { series: series - 1, at },
  }[move]
  const to = place === null && move !== 'last' ? { series, at } : moved
  return to.series < 0 || to.series > last.series ? null : to.series * countPetals(marks) + to.at
}

/** Count of negative numbers, which have no area. */
export const countNegatives = ({ segments }: RoseMarks): number =>
  segments.reduce((count, { y }) => count + y.filter((value) => value !== null && value < 0).length, 0)
