import type { Cell } from '@parquetry/frame'
import { resolveLocale } from './locale.ts'
import { numberFormatter } from './number.ts'
import { isTimeFormat, timeFormatter } from './time.ts'

/** Text for null in tables, tooltips and labels; a chart draws a gap, never 0. */
export const nullText = '∅'

/** Text that looks like null or like nothing, with or without quotes around it. */
const confusing = /^"*(\s*|∅|<NULL>)"*$/

/** Text of a value in names, lists and chips: empty and blank text and the signs for null are quoted, so that they can be seen. */
export const formatText = (text: string): string => (confusing.test(text) ? `"${text}"` : text)

/** A value as in names, lists and chips, without a format. */
export const formatValue = (value: string | number | bigint | boolean | null | undefined): string =>
  value === null || value === undefined ? nullText : typeof value === 'string' ? formatText(value) : String(value)

export interface Currency {
  /** ISO code such as `USD`, or a symbol. */
  symbol: string
  symbolPosition: 'prefix' | 'suffix'
}

const currencyPattern = /^currency:([^:]*):(prefix|suffix):(.*)$/

/**
 * Returns a format name that includes a currency, `currency:EUR:suffix:,.2f`, because format names are plain text everywhere.
 * Replaces an existing currency.
 */
export const withCurrency = (name: string, currency: Currency | undefined): string =>
  currency?.symbol
    ? `currency:${currency.symbol}:${currency.symbolPosition ?? 'prefix'}:${withoutCurrency(name)}`
    : name

export const withoutCurrency = (name: string): string => currencyPattern.exec(name)?.[3] ?? name

/**
 * Returns the function for a format name: d3-format, d3-time-format, SMART_NUMBER, ALL_DIGITS, PLAIN_NUMBER (the same without
 * separators), smart_date, DURATION, MEMORY_*, with or without a currency. Null is `∅`, text is as in `formatText`, big integers are exact
 * in formats that write them in full.
 * @param locale BCP 47 tag
 */
export function formatter(name: string, locale = 'en'): (value: Cell | undefined) => string {
  const words = resolveLocale(locale)
  const [, symbol, position, inner] = currencyPattern.exec(name) ?? []
  const plain = inner ?? name
  const writeTime = timeFormatter(plain, words)
  const writeNumber = numberFormatter(isTimeFormat(plain) ? 'FULL_NUMBER' : plain, words)
  const sign = symbol && currencySign(symbol, words.name)
  const money = (text: string) => (!sign ? text : position === 'suffix' ? `${text} ${sign}` : addPrefix(sign, text))
  const asTime = isTimeFormat(plain)
  return (value) => {
    if (value === null || value === undefined) return nullText
    if (typeof value === 'string') return formatText(value)
    if (typeof value === 'boolean') return String(value)
    if (typeof value === 'bigint') return money(writeBig(value, plain, words.name, writeNumber))
    if (Number.isNaN(value)) return nullText
    return asTime ? writeTime(value) : money(writeNumber(value))
  }
}

/** Separates the symbol by a space, like the clients of the API; `-$ 5` rather than `$ -5`. */
const addPrefix = (sign: string, text: string) =>
  text.startsWith('-') ? `-${sign} ${text.slice(1)}` : `${sign} ${text}`

/** Formats that write integers in full. */
const exactNames = new Set(['FULL_NUMBER', 'ALL_DIGITS', ',d'])

const writeBig = (value: bigint, name: string, locale: string, write: (value: number) => string) =>
  name === 'PLAIN_NUMBER'
    ? String(value)
    : exactNames.has(name)
      ? new Intl.NumberFormat(locale).format(value)
      : write(Number(value))

function currencySign(symbol: string, locale: string): string {
  if (!/^[A-Z]{3}$/.test(symbol)) return symbol
  const parts = new Intl.NumberFormat(locale, { style: 'currency', currency: symbol }).formatToParts(0)
  return parts.find((part) => part.type === 'currency')?.value ?? symbol
}

/** Shortens labels to 43 characters: 40 and three dots (CONST-021). */
export const shorten = (label: string): string => (label.length > 43 ? `${label.slice(0, 40)}...` : label)
