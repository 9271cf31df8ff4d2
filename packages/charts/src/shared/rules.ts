/** A conditional format (CTRL-096), read: which cells of a column it tints, and how strongly. */
export interface Rule {
  column: string
  operator: string
  target: number | null
  left: number | null
  right: number | null
  /** Of the API's three names, or any colour. */
  color: string
}

/** CTRL-102: none tints every cell, by its place in the column's range. */
export const ruleOperators = ['None', '>', '<', '≥', '≤', '=', '≠', '< x <', '≤ x ≤', '≤ x <', '< x ≤'] as const

interface Stored {
  column?: unknown
  operator?: unknown
  targetValue?: unknown
  targetValueLeft?: unknown
  targetValueRight?: unknown
  colorScheme?: unknown
}

const names: Record<string, string> = {
  '#ACE1C4': 'green',
  '#FDE380': 'yellow',
  '#EFA1AA': 'red',
  colorSuccessBg: 'green',
  colorWarningBg: 'yellow',
  colorErrorBg: 'red',
}

/** Rules that cannot be read are left out: a bad rule must not cost the table. */
export function readRules(entries: readonly unknown[]): Rule[] {
  return entries.flatMap((entry): Rule[] => {
    const { column, operator, targetValue, targetValueLeft, targetValueRight, colorScheme } = (entry ?? {}) as Stored
    if (typeof column !== 'string') return []
    const color = typeof colorScheme === 'string' ? colorScheme : 'green'
    return [
      {
        column,
        operator: typeof operator === 'string' ? operator : 'None',
        target: number(targetValue),
        left: number(targetValueLeft),
        right: number(targetValueRight),
        color: names[color] ?? color,
      },
    ]
  })
}

const number = (value: unknown) =>
  value === null || value === undefined || value === '' || !Number.isFinite(Number(value)) ? null : Number(value)

/** Whether a rule holds for a cell; nulls are never tinted. */
export function holds({ operator, target, left, right }: Rule, value: number | null): boolean {
  if (value === null) return false
  const isBetween = (low: boolean, high: boolean) => left !== null && right !== null && low && high
  switch (operator) {
    case 'None':
      return true
    case '< x <':
      return isBetween(value > (left ?? 0), value < (right ?? 0))
    case '≤ x ≤':
      return isBetween(value >= (left ?? 0), value <= (right ?? 0))
    case '≤ x <':
      return isBetween(value >= (left ?? 0), value < (right ?? 0))
    case '< x ≤':
      return isBetween(value > (left ?? 0), value <= (right ?? 0))
    default:
      return target !== null && compare(operator, value, target)
  }
}

function compare(operator: string, value: number, target: number): boolean {
  switch (operator) {
    case '>':
      return value > target
    case '<':
      return value < target
    case '≥':
      return value >= target
    case '≤':
      return value <= target
    case '=':
      return value === target
    case '≠':
      return value !== target
    default:
      return false
  }
}
