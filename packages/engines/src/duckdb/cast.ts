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
 * @param nulls  texts that represent no value
 */
export function nullableTextSql(text: string, type: FileType, nulls: readonly string[]): string {
  const own = nulls.filter((marker) => marker !== '')
  if (type === 'text' && own.length === 0) return `nullif(${text}, '')`
  const alternatives = own.map(escapeRegExp).join('|')
  const value = type === 'text' ? text : `trim(${text}, ${quoteLiteral(spaces)})`
  return `CASE WHEN NOT regexp_full_match(${text}, ${quoteLiteral(type === 'text' ? `(|${alternatives})` : `[${spaces}]*(|${alternatives})[${spaces}]*`)}) THEN ${value} END`
}

/** The characters that JavaScript trims. */
const spaces =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'

const escapeRegExp = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`)

const matches = (text: string, pattern: string): string => `regexp_full_match(${text}, ${quoteLiteral(pattern)})`

/**
 * SQL of the number of a column's text in the notation of program code, null if it is not a number; other texts stay as they are.
 * @param text  SQL of the text, null for no value; it is repeated, so it should be a name
 */
export function plainTextSql(text: string, reading: Reading, style: NumberStyle): string {
  const { type, exact = false } = reading
  if (type !== 'integer' && type !== 'decimal') return text
  const format = numberFormatOf(reading)
  const pattern = numberPatterns(style, format, exact)[type]
  return `CASE WHEN ${matches(text, pattern)} THEN ${plainNumber()} END`

  function plainNumber(): string {
    if (format === 'currency') {
      const digits = `regexp_replace(replace(${text}, '(', '-'), ${quoteLiteral(`[^0-9${style.decimal}-]`)}, '', 'g')`
      return style.decimal === ',' ? `replace(${digits}, ',', '.')` : digits
    }
    if (format === null && exact) return style.decimal === ',' ? `replace(${text}, ',', '.')` : text
    const from = `${style.decimal === ',' ? ',' : ''}%${separatorsOf(style)}`
    const bare = `translate(${text}, ${quoteLiteral(from)}, '${style.decimal === ',' ? '.' : ''}')`
    return format === 'percent' ? `${bare} || 'e-2'` : bare
  }
}

/**
 * SQL that reads a text as a value of a column's type, null if it is not one. The engine's casts alone would round numbers, accept
 * `0x1F`, `inf` and years of any length, and ignore zones.
 * @param text  SQL of the text as written by `plainTextSql`; it is repeated, so it should be a name
 */
export function castSql(text: string, reading: Reading): string {
  const { type, exact = false } = reading
  switch (type) {
    case 'text':
      return text
    case 'boolean':
      return `CASE WHEN ${matches(text, `(?i:${booleanPattern(exact)})`)} THEN TRY_CAST(${text} AS BOOLEAN) END`
    case 'integer':
      return `TRY_CAST(${text} AS BIGINT)`
    case 'decimal':
      return decimal(text, reading.format === 'rounded')
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

/** A double that has the digits of the text when it is written with as many. A number too large for a double is read as infinite. */
function decimal(text: string, isRounded: boolean): string {
  const value = `TRY_CAST(${text} AS DOUBLE)`
  if (isRounded) return `CASE WHEN isfinite(${value}) THEN ${value} END`
  const digits = `regexp_replace(${text}, ${quoteLiteral(`^${significantDigitsPattern}$`)}, ',\\1\\2e')`
  const written = `translate(printf(',%.15e,%.16e', ${value}, ${value}), '.-', '')`
  return `CASE WHEN isfinite(${value}) AND (${matches(text, safeNumberPattern)} OR contains(${written}, ${digits})) THEN ${value} END`
}

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
