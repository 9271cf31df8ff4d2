/** Sign, digits and power of ten of a decimal number. Digits have no zeros at either end; zero has none. */
export interface DecimalText {
  isNegative: boolean
  digits: string
  /** The value is `digits` times ten to this power. */
  exponent: number
}

const pattern = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:e([+-]?\d{1,6}))?$/i

/** Parses a decimal number such as `-12.50` or `1e5` without rounding; null for any other text. */
export function parseDecimalText(text: string): DecimalText | null {
  const found = pattern.exec(text.trim())
  if (!found) return null
  const [, sign, integerPart = '', fraction = found[4] ?? '', , power = '0'] = found
  const all = `${integerPart}${fraction}`
  const end = findEnd(all)
  const digits = all.slice(0, end).replace(/^0+/, '')
  if (digits === '') return { isNegative: false, digits: '', exponent: 0 }
  return { isNegative: sign === '-', digits, exponent: Number(power) - fraction.length + (all.length - end) }
}

/** Index after the last digit that is not zero. */
function findEnd(digits: string): number {
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0') end -= 1
  return end
}

/** Most zeros that are written to avoid an exponent. */
const maxZeros = 80

/** Writes all digits without an exponent: `1e3` is `1000`. Null if that takes too many zeros. */
export function formatDecimalText({ isNegative, digits, exponent }: DecimalText): string | null {
  if (digits === '') return '0'
  if (exponent > maxZeros || digits.length + exponent < -maxZeros) return null
  const sign = isNegative ? '-' : ''
  if (exponent >= 0) return `${sign}${digits}${'0'.repeat(exponent)}`
  const padded = digits.padStart(1 - exponent, '0')
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`
}

const isSame = (a: DecimalText, b: DecimalText): boolean =>
  a.isNegative === b.isNegative && a.digits === b.digits && a.exponent === b.exponent

/**
 * Reads a decimal number without losing a digit: a number if JavaScript prints it with the same digits, otherwise the text
 * without blanks around it. Null if the text is not a decimal number.
 */
export function readExactNumber(text: string): number | string | null {
  const given = parseDecimalText(text)
  if (!given) return null
  const number = Number(text)
  const printed = Number.isFinite(number) ? parseDecimalText(String(number)) : null
  return printed && isSame(given, printed) ? number : text.trim()
}

/**
 * Compares two decimal numbers by all their digits: negative if the first one is less, 0 if they are equal.
 * @throws TypeError for text that is not a decimal number
 */
export function compareExactNumbers(first: number | string, second: number | string): number {
  const [a, b] = [first, second].map((number) => {
    const parsed = parseDecimalText(String(number))
    if (!parsed) throw new TypeError(`Not a decimal number: ${number}`)
    return parsed
  }) as [DecimalText, DecimalText]
  const [signA, signB] = [a, b].map(({ digits, isNegative }) => (digits === '' ? 0 : isNegative ? -1 : 1)) as [
    number,
    number,
  ]
  if (signA !== signB || signA === 0) return signA - signB
  const places = a.digits.length + a.exponent - (b.digits.length + b.exponent)
  // Of two numbers of the same size, the digits from the left decide.
  return signA * (places || Number(a.digits > b.digits) - Number(a.digits < b.digits))
}

/** Numbers that may lose digits have at least 16 of them, or a large exponent. */
const mayLoseDigits = /[\d.]{16}|\de[+-]?\d{3}/i

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown

/**
 * Parses JSON without rounding: a number that JavaScript cannot represent exactly becomes the text of its digits. Everything else
 * is as in `JSON.parse`.
 * @param revive  also called for each value, as by `JSON.parse`
 * @throws SyntaxError for text that is not JSON
 */
export function parseExactJson(text: string, revive?: (key: string, value: unknown) => unknown): unknown {
  if (!mayLoseDigits.test(text)) return revive ? JSON.parse(text, revive) : JSON.parse(text)
  const exact: Reviver = (key, value, { source }) => {
    const kept = typeof value === 'number' && source !== undefined ? readExactNumber(source) : value
    return revive ? revive(key, kept) : kept
  }
  return JSON.parse(text, exact as (key: string, value: unknown) => unknown)
}
