/** Units in which less is better, and rates, in which more is. */
export type Unit = 'ms' | 'KB' | 'MB' | 'requests' | 'nodes' | 'MB/s' | '/s'

/** One measured quantity, with its floor on the machine at that moment and its budget. */
export interface Figure {
  /** `<workload>: <what>`; matches the figures of two runs. */
  name: string
  unit: Unit
  value: number
  /** Values behind the median; 1 for what is counted instead of timed. */
  runs: number
  /** The same work without the product, measured in the same run. */
  floor?: number
  /** Short description of the floor. */
  floorIs?: string
  /** In the same unit: a maximum, for rates a minimum. Often derived from the floor. */
  budget?: number
}

const isRate = (unit: Unit): boolean => unit.endsWith('/s')

/** Ratio to the floor: over 1 is worse, for rates too. */
export const computeRatio = ({ value, floor, unit }: Figure): number | undefined =>
  floor ? (isRate(unit) ? floor / value : value / floor) : undefined

export const isWithinBudget = ({ value, budget, unit }: Figure): boolean | undefined =>
  budget === undefined ? undefined : isRate(unit) ? value >= budget : value <= budget

const digits = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)

/** Formats rows of text in columns of the required width, the first one left-aligned, the others right-aligned. */
export function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (known, row) => row.map((cell, index) => Math.max(known[index] ?? 0, cell.length)),
    [],
  )
  const line = (row: readonly string[]): string =>
    row.map((cell, index) => (index === 0 ? cell.padEnd(widths[index]!) : cell.padStart(widths[index]!))).join('  ')
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('')
}

export function formatTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const ratio = computeRatio(figure)
    const met = isWithinBudget(figure)
    return [
      figure.name,
      `${digits(figure.value)} ${figure.unit}`,
      figure.floor === undefined ? '' : `${digits(figure.floor)} ${figure.unit}`,
      ratio === undefined ? '' : `${ratio.toFixed(2)} x`,
      figure.budget === undefined ? '' : `${digits(figure.budget)} ${figure.unit}`,
      met === undefined ? '' : met ? 'ok' : 'OVER',
    ]
  })
  return alignColumns([['figure', 'measured', 'floor', 'ratio', 'budget', ''], ...rows])
}
