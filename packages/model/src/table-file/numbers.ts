/** Number format of a file. Thousands separators are optional. */
export interface NumberStyle {
  decimal: '.' | ','
}

/**
 * Formats of number columns; null for plain numbers. `grouped` allows thousands separators, `percent` divides by 100, `currency`
 * drops a currency sign or code and reads parentheses as a minus sign, `rounded` accepts decimals with more digits than a double
 * has, which all others refuse.
 */
export const numberFormats = ['grouped', 'percent', 'currency', 'rounded'] as const
export type NumberFormat = (typeof numberFormats)[number]

/** Thousands separators, in addition to the decimal separator of the other style. */
const groupSeparators = ["'", ' ', '\u00a0', '\u202f']

/** Regular expressions that mean the same in JavaScript and in the engine. Each describes the whole text. */
interface NumberPatterns {
  integer: string
  decimal: string
}

const exponent = '(?:[eE][+-]?[0-9]{1,3})?'
const currencySign = String.raw`(?:[A-Z]{0,3}\p{Sc}|[A-Z]{3})`

/**
 * Returns the patterns of a number format.
 * @param exact  true: only texts that their value gives back, without plus signs, leading zeros and mixed separators
 */
export function numberPatterns(
  { decimal }: NumberStyle,
  format: NumberFormat | null,
  exact: boolean,
): Readonly<NumberPatterns> {
  const separators = [...separatorsOf({ decimal })]
  const fraction = `(?:[${decimal}][0-9]*)?`
  const whole = exact ? '(?:0|[1-9][0-9]*)' : '[0-9]+'
  const grouped = exact
    ? `(?:${separators.map((each) => `[1-9][0-9]{0,2}(?:[${each}][0-9]{3})+`).join('|')})`
    : `[0-9]{1,3}(?:[${separators.join('')}][0-9]{3})+`
  const sign = exact ? '-?' : '[+-]?'
  const plainDecimal = `(?:${whole}${fraction}|[${decimal}][0-9]+)`
  const anyWhole = `(?:${whole}|${grouped})`
  const anyDecimal = `(?:${plainDecimal}|${grouped}${fraction})`
  if (format === 'percent') return { integer: `${sign}${anyWhole} ?%`, decimal: `${sign}${anyDecimal} ?%` }
  if (format === 'currency') return { integer: currency(anyWhole), decimal: currency(anyDecimal) }
  if (format === null && exact) return { integer: '(?:0|-?[1-9][0-9]*)', decimal: `${sign}${plainDecimal}${exponent}` }
  return {
    integer: exact ? `(?:0|-?[1-9][0-9]*|-?${grouped})` : `${sign}${anyWhole}`,
    decimal: `${sign}(?:${plainDecimal}${exponent}|${grouped}${fraction})`,
  }
}

const currency = (number: string): string =>
  String.raw`(?:[+-]?${currencySign}? ?${number} ?${currencySign}?|${currencySign} ?[+-]${number}|\(${currencySign}? ?${number} ?${currencySign}?\))`

const compiled = new Map<string, RegExp>()
/** Tests a whole text. */
export function fullyMatches(text: string, pattern: string): boolean {
  let regex = compiled.get(pattern)
  if (!regex) compiled.set(pattern, (regex = new RegExp(`^(?:${pattern})$`, 'u')))
  return regex.test(text)
}

/** Thousands separators of a style, including all spaces. */
export const separatorsOf = ({ decimal }: NumberStyle): string =>
  `${decimal === '.' ? ',' : '.'}${groupSeparators.join('')}`

/** Rewrites a matching text in the notation of program code: `1.234,5` -> `1234.5`, `(12 €)` -> `-12`, `5 %` -> `5e-2`. */
function toPlainNumber(text: string, style: NumberStyle, format: NumberFormat | null): string {
  const bare = format === 'currency' ? text.replace('(', '-').replaceAll(/[^0-9.,-]/g, '') : text.replace(/^\+/, '')
  const digits = bare.replaceAll(new RegExp(`[%${separatorsOf(style)}]`, 'g'), '').replace(',', '.')
  return format === 'percent' ? `${digits}e-2` : digits
}

const maxInteger = 9_223_372_036_854_775_807n
const minInteger = -9_223_372_036_854_775_808n
/** Numbers with at most 15 significant digits are the same before and after they were a double. */
const safeDigits = 15
/** Plain numbers with that many digits, for the engine. */
export const safeNumberPattern = `[+-]?[0.]*(?:[1-9](?:[.]?[0-9]){0,${safeDigits - 1}})?[0.]*(?:[eE][+-]?(?:[0-9]{1,2}|[12][0-9]{2}))?`
/** The significant digits of a plain number, in three groups: the first one, others before the decimal point, those after it. */
export const significantDigitsPattern = '[+-]?[0.]*([1-9])([0-9]*?)[.]?([0-9]*?)0*(?:[eE].*)?'

/** Enough digits to see that a double is exactly halfway between two shorter numbers. */
const maxDoubleDigits = 60

/** Returns true if the double of a plain number, written with as many digits, has the same digits. */
function isExactDouble(plain: string): boolean {
  const [mantissa = ''] = plain.split(/[eE]/)
  const digits = mantissa.replaceAll(/[^\d]/g, '').replace(/^0+/, '').replace(/0+$/, '')
  const value = Number(plain)
  if (digits === '') return true
  if (value === 0 || !Number.isFinite(value)) return false
  if (digits.length <= safeDigits) return true
  if (digits.length > 17) return false
  const write = (count: number) =>
    value
      .toExponential(count - 1)
      .split('e')[0]!
      .replaceAll(/[^\d]/g, '')
  const written = write(digits.length)
  const last = Number(written.at(-1))
  // A double halfway between two numbers of that length is rounded up here, but to the even digit by the engine.
  const isHalfway = last % 2 === 1 && /^50*$/.test(write(maxDoubleDigits).slice(digits.length))
  return (isHalfway ? `${written.slice(0, -1)}${last - 1}` : written) === digits
}

/**
 * Returns the number that a text means, as canonical text; null if the text is not a number of the format.
 * @param type   `integer` has 64 bits, `decimal` has the digits of a double
 * @param exact  the text must be given back by the value
 */
export function parseNumber(
  text: string,
  type: 'integer' | 'decimal',
  style: NumberStyle,
  { format, exact }: { format: NumberFormat | null; exact: boolean },
): string | null {
  if (!fullyMatches(text, numberPatterns(style, format, exact)[type])) return null
  const plain = toPlainNumber(text, style, format)
  if (type === 'integer') {
    if (format === 'percent') return null
    const value = BigInt(plain)
    return value < minInteger || value > maxInteger ? null : String(value)
  }
  const value = Number(plain)
  return Number.isFinite(value) && (format === 'rounded' || isExactDouble(plain)) ? String(value) : null
}

/** Detects the decimal separator of number columns: a comma followed by other than three digits is decimal. */
export function guessDecimal(rows: readonly (readonly (string | null)[])[]): '.' | ',' {
  let comma = 0
  let point = 0
  for (const row of rows)
    for (const value of row) {
      if (value === null) continue
      if (/^[+-]?[\d.]*\d,\d+$/.test(value.trim()) && !/^[+-]?\d{1,3}(,\d{3})+$/.test(value.trim())) comma++
      else if (/^[+-]?[\d,]*\d\.\d+$/.test(value.trim()) && !/^[+-]?\d{1,3}(\.\d{3})+$/.test(value.trim())) point++
    }
  return comma > point ? ',' : '.'
}
