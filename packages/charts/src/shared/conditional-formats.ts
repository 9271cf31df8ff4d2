/** A parsed conditional format (CTRL-096): which cells of a column it tints, and how strongly. */
export interface ConditionalFormat {
  column: string
  operator: string
  target: number | null
  /** Target of a rule on text. */
  text?: string
  left: number | null
  right: number | null
  /** One of the API's three names, or any color. */
  color: string
  /**
   * Lowest and highest value of the column: the tint is stronger the further away a value is; without a range all tints are
   * equal.
   */
  range?: readonly [low: number, high: number]
  /** Applies to every cell of the row. */
  onRow?: boolean
  /** Colors the text instead of the background. */
  inText?: boolean
}

export type ConditionValue = number | string | boolean | null

/** CTRL-102: `None` tints every cell by its position in the column's range. */
export const conditionOperators = ['None', '>', '<', '≥', '≤', '=', '≠', '< x <', '≤ x ≤', '≤ x <', '< x ≤'] as const

interface StoredFormat {
  column?: unknown
  operator?: unknown
  targetValue?: unknown
  targetValueLeft?: unknown
  targetValueRight?: unknown
  colorScheme?: unknown
  toAllRow?: unknown
  toTextColor?: unknown
  useGradient?: unknown
}

const names: Record<string, string> = {
  '#ACE1C4': 'green',
  '#FDE380': 'yellow',
  '#EFA1AA': 'red',
  colorSuccessBg: 'green',
  colorWarningBg: 'yellow',
  colorErrorBg: 'red',
}

/** Operators for text columns; the last two apply to any column. */
export const textOperators = [
  '=',
  '≠',
  'begins with',
  'ends with',
  'containing',
  'not containing',
  'is null',
  'is not null',
] as const

/**
 * Parses rules and skips invalid ones: a bad rule must not break the table.
 * @param rangeOf  range of a column, for rules whose tint depends on the position of a value in it
 */
export function readConditionalFormats(
  entries: readonly unknown[],
  rangeOf?: (column: string) => readonly [number, number] | null,
): ConditionalFormat[] {
  return entries.flatMap((entry): ConditionalFormat[] => {
    const { column, operator, targetValue, targetValueLeft, targetValueRight, colorScheme, ...more } = (entry ??
      {}) as StoredFormat
    if (typeof column !== 'string') return []
    const color = typeof colorScheme === 'string' ? colorScheme : 'green'
    const range = more.useGradient === false ? null : (rangeOf?.(column) ?? null)
    return [
      {
        column,
        operator: typeof operator === 'string' ? operator : 'None',
        target: number(targetValue),
        ...(typeof targetValue === 'string' && { text: targetValue }),
        left: number(targetValueLeft),
        right: number(targetValueRight),
        color: names[color] ?? color,
        ...(range && { range }),
        ...(more.toAllRow === true && { onRow: true }),
        ...(more.toTextColor === true && { inText: true }),
      },
    ]
  })
}

const number = (value: unknown) =>
  value === null || value === undefined || value === '' || !Number.isFinite(Number(value)) ? null : Number(value)

/** Returns true when a rule applies to a cell; only the null rule applies to nulls. */
export function isConditionMet(rule: ConditionalFormat, value: ConditionValue): boolean {
  const { operator, target, left, right } = rule
  if (operator === 'is null') return value === null
  if (value === null) return false
  if (operator === 'is not null') return true
  if (operator === 'is true' || operator === 'is false') return value === (operator === 'is true')
  if (typeof value !== 'number') return isTextConditionMet(rule, String(value))
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

/** Compares text case-insensitively. */
function isTextConditionMet({ operator, target, text }: ConditionalFormat, value: string): boolean {
  const own = value.toLowerCase()
  const wanted = (text ?? (target === null ? '' : String(target))).toLowerCase()
  switch (operator) {
    case 'None':
      return true
    case '=':
      return own === wanted
    case '≠':
      return own !== wanted
    case 'begins with':
      return wanted !== '' && own.startsWith(wanted)
    case 'ends with':
      return wanted !== '' && own.endsWith(wanted)
    case 'containing':
      return wanted !== '' && own.includes(wanted)
    case 'not containing':
      return wanted !== '' && !own.includes(wanted)
    default:
      return false
  }
}

/** Strength for a cell that barely meets its rule, so that it differs from untinted cells. */
const minStrength = 0.25

/**
 * Returns the strength of a value's tint, up to 1: its distance from the target, or from the left bound, relative to the end of
 * the column on that side. Without a target it increases from the lowest value to the highest.
 */
export function computeTintStrength(
  { operator, target, left, right, range }: ConditionalFormat,
  value: ConditionValue,
): number {
  if (!range || typeof value !== 'number') return 1
  const [low, high] = range
  const between = (from: number, to: number, least: number) =>
    from === to ? 1 : least + (1 - least) * Math.min(1, Math.abs((value - from) / (to - from)))
  if (operator === 'None') return between(low, high, 0.05)
  if (left !== null && right !== null && operator.includes('x')) return between(left, right, minStrength)
  if (target === null) return 1
  if (operator === '>' || operator === '≥') return between(target, Math.max(high, target), minStrength)
  if (operator === '<' || operator === '≤') return between(target, Math.min(low, target), minStrength)
  if (operator === '≠')
    return between(target, Math.abs(target - low) > Math.abs(high - target) ? low : high, minStrength)
  return 1
}
