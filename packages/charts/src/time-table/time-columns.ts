/** One parsed entry of `column_collection`. */
export interface TimeColumn {
  kind: 'time' | 'contrib' | 'avg' | 'spark'
  label: string
  tooltip: string
  /** Width of a sparkline in px; null when the form leaves it to the chart. */
  width: number | null
  height: number
  /** Periods before the last one; negative values count from the first. */
  lag: number
  /** For sparklines: each value is divided by the one this many periods before. */
  ratio: number
  comparison: 'value' | 'diff' | 'perc' | 'perc_change'
  line: 'line' | 'area' | 'bar'
  hasAxis: boolean
  axis: NumberRange
  /** Values at the red and the blue end. */
  colors: NumberRange
  format: string
  timeFormat: string
}

export type NumberRange = readonly [low: number | null, high: number | null]

const kinds = ['time', 'contrib', 'avg', 'spark'] as const
const comparisons = ['value', 'diff', 'perc', 'perc_change'] as const
const lines = ['line', 'area', 'bar'] as const

/** Parses entries; those that are not objects are skipped, and invalid fields count as not set. */
export const readTimeColumns = (entries: readonly unknown[]): TimeColumn[] =>
  entries.flatMap((entry): TimeColumn[] => {
    if (typeof entry !== 'object' || entry === null) return []
    const given = entry as Record<string, unknown>
    const kind = readOption(kinds, given['colType'])
    return [
      {
        kind,
        label: text(given['label']),
        tooltip: text(given['tooltip']),
        width: size(given['width']),
        height: size(given['height']) ?? 50,
        lag: Math.trunc(number(given['timeLag']) ?? 0),
        ratio: Math.max(0, Math.trunc(number(given['timeRatio']) ?? 0)),
        comparison: readOption(comparisons, given['comparisonType']),
        line: readOption(lines, given['sparkType']),
        hasAxis: given['showYAxis'] === true,
        axis: ends(given['yAxisBounds']),
        colors: ends(given['bounds']),
        format: text(given['d3format']),
        timeFormat: text(given['dateFormat']),
      },
    ]
  })

const readOption = <T extends string>(all: readonly [T, ...T[]], value: unknown): T =>
  all.find((each) => each === value) ?? all[0]
const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
const number = (value: unknown): number | null => {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof read === 'number' && Number.isFinite(read) ? read : null
}
const size = (value: unknown): number | null => {
  const read = number(typeof value === 'string' ? value.replace(/px$/, '') : value)
  return read !== null && read > 0 ? Math.min(read, 2000) : null
}
const ends = (value: unknown): NumberRange => {
  const [low, high] = Array.isArray(value) ? (value as unknown[]) : []
  return [number(low), number(high)]
}

type Values = readonly (number | null)[]

/**
 * Returns the value of a row, whose values are oldest first; null if it is undefined. @param total of all rows in the last period
 */
export function computeCellValue(column: TimeColumn, values: Values, total: number | null): number | null {
  const recent = values.at(-1) ?? null
  switch (column.kind) {
    case 'contrib':
      return finite(recent !== null && total ? recent / total : null)
    case 'avg': {
      const known = values.slice(column.lag > 0 ? -column.lag : 0).filter((value) => value !== null)
      return finite(known.length > 0 ? known.reduce((sum, value) => sum + value, 0) / known.length : null)
    }
    default: {
      const before = (column.lag < 0 ? values[-1 - column.lag] : values.at(-1 - column.lag)) ?? null
      if (column.comparison === 'value' || before === null || recent === null)
        return column.comparison === 'value' ? before : null
      if (column.comparison === 'diff') return finite(recent - before)
      return finite(column.comparison === 'perc' ? recent / before : recent / before - 1)
    }
  }
}

/** Returns the points of a sparkline: one per period, or fewer when each is divided by an earlier one. */
export const computeSparklinePoints = ({ ratio }: TimeColumn, values: Values): (number | null)[] =>
  ratio === 0
    ? [...values]
    : values.slice(ratio).map((value, index) => {
        const before = values[index] ?? null
        return value === null || !before ? null : finite(value / before)
      })

/** Returns the position of a value between the red end (0) and the blue one (1); null when the column has no colors. */
export function computeTone({ colors: [low, high] }: TimeColumn, value: number | null): number | null {
  if (value === null || (low === null && high === null)) return null
  if (high === null) return value >= (low as number) ? 1 : 0
  if (low === null) return value < high ? 1 : 0
  if (low === high) return 0.5
  return Math.min(1, Math.max(0, (value - low) / (high - low)))
}

const finite = (value: number | null): number | null => (value !== null && Number.isFinite(value) ? value : null)
