import type { FileColumn, FileType } from '@parquetry/model'
import { groupSeparators } from '@parquetry/model/table-file/types'
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
  const value = type === 'text' ? text : `trim(${text})`
  return `CASE WHEN NOT regexp_full_match(${text}, ${quoteLiteral(type === 'text' ? `(|${alternatives})` : `\\s*(|${alternatives})\\s*`)}) THEN ${value} END`
}

const escapeRegExp = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`)

/**
 * SQL that parses a text as a value of a column's type, null if it cannot be parsed.
 * @param text  SQL of the text, null for no value; it is repeated, so it should be a name
 */
export function castSql(
  text: string,
  { type, format }: Pick<FileColumn, 'type' | 'format'>,
  decimal: '.' | ',',
): string {
  switch (type) {
    case 'text':
      return text
    case 'boolean':
      return `TRY_CAST(${text} AS BOOLEAN)`
    case 'integer':
      return number(text, decimal, wholeNumber, '')
    case 'decimal':
      return number(text, decimal, anyNumber(decimal), `([${decimal}][0-9]*)?`)
    case 'date':
    case 'datetime':
      return format === null || format === 'iso' ? isoTime(text, type) : otherTime(text, type, format)
  }
}

const wholeNumber = '[+-]?[0-9]+'
const anyNumber = (decimal: '.' | ','): string =>
  String.raw`[+-]?([0-9]+[${decimal}]?[0-9]*|[${decimal}][0-9]+)([eE][+-]?[0-9]{1,3})?`

/** The engine's cast alone would round `1.5`, accept `0x1F` and `inf`, and reject thousands separators. */
function number(text: string, decimal: '.' | ',', plain: string, fraction: string): string {
  const group = decimal === '.' ? ',' : '.'
  const grouped = String.raw`[+-]?[0-9]{1,3}([${group}' \x{a0}\x{202f}][0-9]{3})+${fraction}`
  const from = quoteLiteral(`${decimal === ',' ? ',' : ''}${group}${groupSeparators}`)
  const bare = `translate(${text}, ${from}, '${decimal === ',' ? '.' : ''}')`
  const asWritten = decimal === '.' || fraction === '' ? text : `replace(${text}, ',', '.')`
  const written = `CASE WHEN regexp_full_match(${text}, ${quoteLiteral(plain)}) THEN ${asWritten}
    WHEN regexp_full_match(${text}, ${quoteLiteral(grouped)}) THEN ${bare} END`
  if (fraction === '') return `TRY_CAST(${written} AS BIGINT)`
  // A number too large for the type is read as infinite.
  return `nullif(nullif(TRY_CAST(${written} AS DOUBLE), 'inf'::DOUBLE), '-inf'::DOUBLE)`
}

/** A plain cast to TIMESTAMP ignores the zone, and one to DATE ignores the time. */
function isoTime(text: string, type: 'date' | 'datetime'): string {
  if (type === 'date')
    return `CASE WHEN regexp_full_match(${text}, ${quoteLiteral(isoDay)}) THEN TRY_CAST(${text} AS DATE) END`
  return `CASE WHEN regexp_matches(${text}, ':[0-9.]+ ?(Z|[+-][0-9:]+)$')
    THEN CAST(TRY_CAST(${text} AS TIMESTAMPTZ) AS TIMESTAMP) ELSE TRY_CAST(${text} AS TIMESTAMP) END`
}

const isoDay = String.raw`[0-9]{4}[-/][0-9]{1,2}[-/][0-9]{1,2}([ T]0?0:00(:00([.]0+)?)?)?`

function otherTime(text: string, type: 'date' | 'datetime', format: string): string {
  const read = `try_strptime(${text}, ${quoteLiteral(format)})`
  return type === 'datetime' ? read : `CAST(${read} AS DATE)`
}
