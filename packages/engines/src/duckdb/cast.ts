import type { FileType } from '@parquetry/model'
import {
  type NumberStyle,
  numberPatterns,
  safeNumberPattern,
  separatorsOf,
  significantDigitsPattern,
} from '@parquetry/model/table-file/numbers'
import {
  hasClock,
  isoDatePattern,
  isoTimePattern,
  maxSerial,
  microsecondPattern,
  type SerialFormat,
  serialEpoch,
  timePattern,
} from '@parquetry/model/table-file/times'
import { booleanPattern, numberFormatOf, type Reading, timeFormatOf } from '@parquetry/model/table-file/types'
import { quoteLiteral } from './files.ts'

/** Engine type of a file's column, by file type. */
export const engineTypes: Readonly<Record<FileType, string>> = {
  text: 'VARCHAR',
  integer: 'BIGINT',
  decimal: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
  datetime: 'TIMESTAMP',
}

/** Returns the file type that is shown to the user for an engine type. */
export function toFileType(engineType: string): FileType {
  const type = engineType.toUpperCase()
  if (/^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$/.test(type)) return 'integer'
  if (/^(DOUBLE|FLOAT|DECIMAL\(.*\))$/.test(type)) return 'decimal'
  if (type === 'BOOLEAN' || type === 'DATE') return type.toLowerCase() as FileType
  return type.startsWith('TIMESTAMP') ? 'datetime' : 'text'
}

/**
 * SQL of a value's text, null if it represents no value. Each function of an expression holds memory for every column, so only
 * few are used.
 * @param nulls  texts that represent no value; an empty text is a value of text columns unless it is one of these
 */
export function nullableTextSql(text: string, type: FileType, nulls: readonly string[]): string {
  const own = nulls.filter((marker) => marker !== '')
  const hasEmptyTexts = type === 'text' && !nulls.includes('')
  if (type === 'text' && own.length === 0) return hasEmptyTexts ? text : `nullif(${text}, '')`
  const alternatives = own.map(escapeRegExp).join('|')
  const value = type === 'text' ? text : `trim(${text}, ${quoteLiteral(spaces)})`
  return `CASE WHEN NOT regexp_full_match(${text}, ${quoteLiteral(type === 'text' ? `(${hasEmptyTexts ? '' : '|'}${alternatives})` : `[${spaces}]*(|${alternatives})[${spaces}]*`)}) THEN ${value} END`
}

/** The characters that JavaScript trims. */
const spaces =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'

const escapeRegExp = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`)

const matches = (text: string, pattern: string): string => `regexp_full_match(${text}, ${quoteLiteral(pattern)})`

/**
 * SQL of the number of a column's text in the notation of program code, null if it is not a number of the column. Returns null if
 * the text is one already.
 * @param text  SQL of the text, null for no value; it is repeated, so it should be a name
 */
export function plainNumberSql(text: string, reading: Reading, style: NumberStyle): string | null {
  const { type, exact = false } = reading
  const format = numberFormatOf(reading)
  const isPlain = exact && format === null && style.decimal === '.'
  if (isPlain) return null
  const pattern = numberPatterns(style, format, exact)[type === 'integer' ? type : 'decimal']
  return `CASE WHEN ${matches(text, pattern)} THEN ${plainNumber()} END`

  function plainNumber(): string {
    if (format === 'currency') {
      const digits = `regexp_replace(replace(${text}, '(', '-'), ${quoteLiteral(`[^0-9${style.decimal}-]`)}, '', 'g')`
      return style.decimal === ',' ? `replace(${digits}, ',', '.')` : digits
    }
    if (format === null && exact) return `replace(${text}, ',', '.')`
    const from = `${style.decimal === ',' ? ',' : ''}%${separatorsOf(style)}`
    const bare = `translate(${text}, ${quoteLiteral(from)}, '${style.decimal === ',' ? '.' : ''}')`
    return format === 'percent' ? `${bare} || 'e-2'` : bare
  }
}

/**
 * SQL that reads a text as a value of a column that is not a number, null if it is not one. The engine's casts alone would accept
 * years of any length and ignore zones.
 * @param text  SQL of the text, null for no value; it is repeated, so it should be a name
 */
export function castSql(text: string, reading: Reading): string {
  const { type, exact = false } = reading
  switch (type) {
    case 'boolean':
      return `CASE WHEN ${matches(text, `(?i:${booleanPattern(exact)})`)} THEN TRY_CAST(${text} AS BOOLEAN) END`
    default:
      return text
    case 'date':
    case 'datetime': {
      const format = timeFormatOf(reading)
      if (format === 'iso') return isoTime(text, type, exact)
      if (format === 'excel-1900' || format === 'excel-1904') return serialTime(text, type, format)
      const read = `CASE WHEN ${matches(text, timePattern(format))} THEN try_strptime(${text}, ${quoteLiteral(format)}) END`
      if (type === 'datetime') return read
      return hasClock(format) ? 'NULL' : `CAST(${read} AS DATE)`
    }
  }
}

/**
 * SQL of a column's number, null if the text is not a number of the column or if the number would lose digits: a double must have the
 * digits of its text when it is written with as many.
 * @param text        SQL of the text, as `plainNumberSql` writes it where that is not null; it should be a name
 * @param engineType  type of the table's column
 */
export function numberSql(text: string, reading: Reading, style: NumberStyle, engineType: string): string {
  const isInteger = reading.type === 'integer'
  const conditions: string[] = []
  if (plainNumberSql(text, reading, style) === null)
    conditions.push(matches(text, numberPatterns(style, null, true)[isInteger ? 'integer' : 'decimal']))
  const [, scale] = /^DECIMAL\(\d+,(\d+)\)$/.exec(engineType) ?? []
  const value = `TRY_CAST(${text} AS ${isInteger ? 'BIGINT' : scale === undefined ? 'DOUBLE' : engineType})`
  if (!isInteger && scale !== undefined) conditions.push(matches(text, `[+-]?[0-9]*(?:[.][0-9]{0,${scale}}0*)?`))
  else if (!isInteger) {
    conditions.push(`isfinite(${value})`)
    const digits = `regexp_replace(${text}, ${quoteLiteral(`^${significantDigitsPattern}$`)}, '\\1.\\2\\3e')`
    if (reading.format !== 'rounded')
      conditions.push(
        `(${matches(text, safeNumberPattern)} OR contains(printf('%.15e,%.16e', ${value}, ${value}), ${digits}))`,
      )
  }
  return conditions.length === 0 ? value : `CASE WHEN ${conditions.join(' AND ')} THEN ${value} END`
}

/** SQL of the largest number of decimal places of plain numbers; null if all of them are whole. */
export const decimalPlacesSql = (text: string): string =>
  `CASE WHEN bool_or(${matches(text, '.*[.][0-9]*[1-9][0-9]*')}) THEN max(length(regexp_extract(${text}, '[.]([0-9]*)', 1))) END`

/** A plain cast to TIMESTAMP ignores the zone, and one to DATE ignores the time. */
function isoTime(text: string, type: 'date' | 'datetime', exact: boolean): string {
  if (type === 'date') {
    const midnight = exact ? '' : '(?:[ T]0?0:00(?::00(?:[.]0+)?)?)?'
    return `CASE WHEN ${matches(text, `${isoDatePattern}${midnight}`)} THEN TRY_CAST(${text} AS DATE) END`
  }
  const isTime = `${matches(text, `${isoDatePattern}|${isoTimePattern}`)}${exact ? ` AND ${matches(text, microsecondPattern)}` : ''}`
  // The engine needs seconds before a zone, and a colon in its offset.
  const withSeconds = `regexp_replace(${text}, '([T ][0-9]+:[0-9]+)(Z|[+-])', '\\1:00\\2')`
  const zoned = `regexp_replace(${withSeconds}, '([+-][0-9]{2})([0-9]{2})$', '\\1:\\2')`
  return `CASE WHEN ${isTime} THEN CASE WHEN regexp_matches(${text}, ':[0-9.]+(Z|[+-][0-9:]+)$')
    THEN CAST(TRY_CAST(${zoned} AS TIMESTAMPTZ) AS TIMESTAMP) ELSE TRY_CAST(${text} AS TIMESTAMP) END END`
}

/** Day numbers of spreadsheets. The 1900 count has a day too many, number 60. */
function serialTime(text: string, type: 'date' | 'datetime', format: SerialFormat): string {
  const isSerial = matches(text, '[0-9]+(?:[.,][0-9]*)?')
  const serial = `TRY_CAST(replace(CASE WHEN ${isSerial} THEN ${text} END, ',', '.') AS DOUBLE)`
  const days =
    format === 'excel-1900'
      ? `CASE WHEN ${serial} < 60 THEN ${serial} + 1 WHEN ${serial} >= 61 THEN ${serial} END`
      : serial
  const seconds = `CAST(round((CASE WHEN ${serial} < ${maxSerial} THEN ${days} END - ${serialEpoch[format]}) * 86400) AS BIGINT)`
  const time = `make_timestamp(${seconds} * 1000000)`
  return type === 'datetime' ? time : `CASE WHEN ${seconds} % 86400 = 0 THEN CAST(${time} AS DATE) END`
}
