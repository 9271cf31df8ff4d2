import type { TimeTableCell, Sparkline } from './chart.ts'

export type SparklineCell = Extract<TimeTableCell, { points: unknown }>

/** Returns the range of a sparkline's axis: set by the author, or that of its values; bars start at zero. Null without values. */
export function computeSparklineRange(
  { points }: SparklineCell,
  { axis: [least, most], line }: Sparkline,
): [low: number, high: number] | null {
  let low = Infinity
  let high = -Infinity
  for (const point of points) {
    if (point === null) continue
    low = Math.min(low, point)
    high = Math.max(high, point)
  }
  if (low > high) return null
  if (line === 'bar') [low, high] = [Math.min(0, low), Math.max(0, high)]
  return [least ?? low, most ?? high]
}

export interface SparklineShape {
  /** The line, with gaps for missing values. */
  line: string
  /** Area below it, or bars. */
  fill: string
  /** Points for values between gaps and for the last one. */
  dots: { x: number; y: number }[]
  /** Position of each point. */
  at: ({ x: number; y: number } | null)[]
}

const inset = 3

/** Returns a sparkline as paths in a box of this size. */
export function buildSparklineShape(
  cell: SparklineCell,
  spark: Sparkline,
  width: number,
  height: number,
): SparklineShape {
  const { points } = cell
  const range = computeSparklineRange(cell, spark)
  if (!range) return { line: '', fill: '', dots: [], at: points.map(() => null) }
  const [low, high] = range
  const across = (width - 2 * inset) / (spark.line === 'bar' ? points.length : Math.max(1, points.length - 1))
  const x = (at: number) => inset + across * (spark.line === 'bar' ? at + 0.5 : at)
  const part = (value: number) => (high === low ? 0.5 : (value - low) / (high - low))
  const y = (value: number) => height - inset - Math.min(1, Math.max(0, part(value))) * (height - 2 * inset)
  const at = points.map((value, index) => (value === null ? null : { x: x(index), y: y(value) }))
  const zero = y(Math.min(Math.max(0, Math.min(low, high)), Math.max(low, high)))
  const path = (place: { x: number; y: number }) => `${round(place.x)} ${round(place.y)}`
  if (spark.line === 'bar') {
    const wide = Math.max(0.5, across * 0.7)
    const fill = at.map((place) =>
      place ? `M${round(place.x - wide / 2)} ${round(zero)}h${round(wide)}V${round(place.y)}h${round(-wide)}z` : '',
    )
    return { line: '', fill: fill.join(''), dots: [], at }
  }
  const runs = splitRuns(at)
  const last = at.at(-1)
  return {
    line: runs.map((run) => (run.length > 1 ? `M${run.map(path).join('L')}` : '')).join(''),
    fill:
      spark.line === 'area'
        ? runs
            .map((run) =>
              run.length > 1
                ? `M${round(run[0]!.x)} ${round(zero)}L${run.map(path).join('L')}L${round(run.at(-1)!.x)} ${round(zero)}z`
                : '',
            )
            .join('')
        : '',
    dots: [...runs.flatMap((run) => (run.length === 1 ? run : [])), ...(last ? [last] : [])],
    at,
  }
}

function splitRuns<T>(places: readonly (T | null)[]): T[][] {
  const runs: T[][] = [[]]
  for (const place of places)
    if (place) runs.at(-1)!.push(place)
    else if (runs.at(-1)!.length > 0) runs.push([])
  return runs.filter((run) => run.length > 0)
}

const round = (value: number): number => Math.round(value * 10) / 10
