import type { CellBlock } from '@parquetry/charts/views/grid/index'
import { genericOf, isNull, textAt, type Column } from '@parquetry/frame'

/** Count, sum, average and extremes of the selected cells. Numbers are plain text with every digit, such as `-1234.50`. */
export interface CellSummary {
  /** Cells that are not null. */
  filled: number
  numbers: number
  /** Null without numbers. */
  sum: string | null
  average: string | null
  min: string | null
  max: string | null
}

/** `digits` / 10^`scale`, which holds every decimal number without loss. */
interface Exact {
  digits: bigint
  scale: number
}

const cellsPerStep = 20_000
/** Digits of an average beyond those of its numbers. */
const averageDigits = 6
const floatDigits = 15

/**
 * Sums the numbers among cells in decimal arithmetic: 0.1 + 0.2 is 0.3, and integers of any size keep their digits. Lets the page
 * respond in between.
 * @throws the reason of the signal
 */
export async function summarizeCells({ columns, rows }: CellBlock, signal?: AbortSignal): Promise<CellSummary> {
  const total = new ExactTotal()
  let filled = 0
  for (const column of columns) {
    const isNumeric = genericOf(column) === 0
    for (let index = 0; index < rows.length; index += 1) {
      if (index % cellsPerStep === cellsPerStep - 1) {
        await new Promise((resolve) => setTimeout(resolve))
        signal?.throwIfAborted()
      }
      const row = rows[index]!
      if (isNull(column, row)) continue
      filled += 1
      if (isNumeric) total.add(column, row)
    }
  }
  return { filled, ...total.finish() }
}

class ExactTotal {
  #numbers = 0
  /** Integers that a double holds exactly, which are most. */
  #small = 0
  /** The others by their scale. */
  readonly #sums = new Map<number, bigint>()
  /** Floats are among them: more digits than theirs mean nothing. */
  #hasFloats = false
  /** Sum of infinities and NaN; 0 without any. */
  #infinite = 0
  #min: Exact | null = null
  #max: Exact | null = null

  add(column: Column, row: number): void {
    if (column.kind === 'number') {
      const value = column.data[row]!
      if (!Number.isFinite(value)) {
        this.#numbers += 1
        this.#infinite += value
        return
      }
      if (Number.isSafeInteger(value) && Number.isSafeInteger(this.#small + value)) {
        this.#small += value
        return this.#take({ digits: BigInt(value), scale: 0 })
      }
      this.#hasFloats = true
    }
    const exact =
      column.kind === 'bigint' || column.kind === 'decimal'
        ? { digits: BigInt(column.data[row]!), scale: column.kind === 'decimal' ? column.scale : 0 }
        : parseExact(textAt(column, row) ?? '')
    if (!exact) return
    this.#sums.set(exact.scale, (this.#sums.get(exact.scale) ?? 0n) + exact.digits)
    this.#take(exact)
  }

  #take(exact: Exact): void {
    this.#numbers += 1
    if (this.#min === null || isLess(exact, this.#min)) this.#min = exact
    if (this.#max === null || isLess(this.#max, exact)) this.#max = exact
  }

  finish(): Omit<CellSummary, 'filled'> {
    const numbers = this.#numbers
    if (numbers === 0) return { numbers, sum: null, average: null, min: null, max: null }
    if (this.#infinite !== 0) {
      const text = String(this.#infinite)
      return { numbers, sum: text, average: text, min: null, max: null }
    }
    const scale = Math.max(0, ...this.#sums.keys())
    const sum = [...this.#sums].reduce(
      (all, [each, digits]) => all + digits * 10n ** BigInt(scale - each),
      BigInt(this.#small) * 10n ** BigInt(scale),
    )
    const write = (exact: Exact): string =>
      this.#hasFloats ? trimZeros(formatExact(roundFloat(exact))) : formatExact(exact)
    return {
      numbers,
      sum: write({ digits: sum, scale }),
      average: trimZeros(write(divide(sum, scale, numbers))),
      min: this.#min && formatExact(this.#min),
      max: this.#max && formatExact(this.#max),
    }
  }
}

function isLess(a: Exact, b: Exact): boolean {
  if (a.scale === b.scale) return a.digits < b.digits
  const scale = Math.max(a.scale, b.scale)
  return a.digits * 10n ** BigInt(scale - a.scale) < b.digits * 10n ** BigInt(scale - b.scale)
}

/** Reads `-1234.5` and `1.5e-7`. */
function parseExact(text: string): Exact | null {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  if (whole === '') return null
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n)
  const scale = fraction.length - Number(exponent)
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale }
}

function formatExact({ digits, scale }: Exact): string {
  const sign = digits < 0n ? '-' : ''
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
  return scale === 0 ? sign + text : `${sign}${text.slice(0, -scale)}.${text.slice(-scale)}`
}

const divide = (sum: bigint, scale: number, count: number): Exact => ({
  digits: divideRounded(sum * 10n ** BigInt(averageDigits), BigInt(count)),
  scale: scale + averageDigits,
})

/** Drops digits behind the point beyond the 15 that a float holds. */
function roundFloat({ digits, scale }: Exact): Exact {
  const length = String(digits < 0n ? -digits : digits).length
  const dropped = Math.max(0, Math.min(scale, length - floatDigits))
  return { digits: divideRounded(digits, 10n ** BigInt(dropped)), scale: scale - dropped }
}

/** Rounds half away from zero. */
function divideRounded(value: bigint, by: bigint): bigint {
  const rounded = ((value < 0n ? -value : value) * 2n + by) / (2n * by)
  return value < 0n ? -rounded : rounded
}

const trimZeros = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)
