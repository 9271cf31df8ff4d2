import type { FileColumn, FileType } from '@parquetry/model'
import { groupSigns, nullWords } from '@parquetry/model/table-file/types'
import { literal } from './files.ts'

/** The engine's type that a column of a file gets. */
export const engineTypes: Readonly<Record<FileType, string>> = {
  text: 'VARCHAR',
  integer: 'BIGINT',
  decimal: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
  datetime: 'TIMESTAMP',
}

/** What a type of the engine is to the user of a file. */
export function fileTypeOf(engineType: string): FileType {
  const type = engineType.toUpperCase()
  if (/^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$/.test(type)) return 'integer'
  if (/^(DOUBLE|FLOAT|DECIMAL\(.*\))$/.test(type)) return 'decimal'
  if (type === 'BOOLEAN' || type === 'DATE') return type.toLowerCase() as FileType
  return type.startsWith('TIMESTAMP') ? 'datetime' : 'text'
}

/** SQL of a value's text, null where it stands for no value; the usual words only outside of text. */
export function told(text: string, type: FileType, nulls: readonly string[]): string {
  const bare = type === 'text' ? `nullif(${text}, '')` : `nullif(trim(${text}), '')`
  const words = (type === 'text' ? nulls : [...new Set([...nulls, ...nullWords])]).filter((word) => word !== '')
  if (words.length === 0) return bare
  return `CASE WHEN ${bare} NOT IN (${words.map(literal).join(', ')}) THEN ${bare} END`
}

/**
 * SQL that reads a text as a value of a column's type, null where it does not read as one.
 * @param text  SQL of the text, null where there is no value; it is repeated, so a name
 */
export function readAs(
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
      return whole(text, decimal)
    case 'decimal':
      return fraction(text, decimal)
    case 'date':
    case 'datetime':
      return time(text, type, format)
  }
}

const finite = (text: string): string =>
  `CASE WHEN isfinite(TRY_CAST(${text} AS DOUBLE)) THEN TRY_CAST(${text} AS DOUBLE) END`

/** The engine alone would round `1.5` and read `0x1F`. */
function whole(text: string, decimal: '.' | ','): string {
  const bare = `translate(${text}, ${literal(between(decimal))}, '')`
  return `CASE WHEN regexp_full_match(${text}, '[+-]?[0-9]+') THEN TRY_CAST(${text} AS BIGINT)
    WHEN ${isGrouped(text, decimal)} AND regexp_full_match(${bare}, '[+-]?[0-9]+') THEN TRY_CAST(${bare} AS BIGINT) END`
}

function fraction(text: string, decimal: '.' | ','): string {
  const bare = `translate(${text}, ${literal(between(decimal))}, '')`
  if (decimal === '.')
    return `coalesce(${finite(text)}, CASE WHEN ${isGrouped(text, decimal)} THEN ${finite(bare)} END)`
  return `CASE WHEN ${isGrouped(text, decimal)} THEN ${finite(`replace(${bare}, ',', '.')`)}
    WHEN NOT contains(${text}, '.') THEN ${finite(`replace(${text}, ',', '.')`)} END`
}

const between = (decimal: '.' | ','): string => (decimal === '.' ? ',' : '.') + groupSigns

/** Thousands in groups of three; a number without them is none. */
const isGrouped = (text: string, decimal: '.' | ','): string =>
  `regexp_full_match(${text}, ${literal(
    String.raw`[+-]?[0-9]{1,3}([${decimal === '.' ? ',' : '.'}' \x{a0}\x{202f}][0-9]{3})+([${decimal}][0-9]*)?`,
  )})`

function time(text: string, type: 'date' | 'datetime', format: FileColumn['format']): string {
  const read = format === null || format === 'iso' ? isoTime(text) : `try_strptime(${text}, ${literal(format)})`
  if (type === 'datetime') return read
  // A cast to a date drops the time without a word.
  return `CASE WHEN date_trunc('day', ${read}) = ${read} THEN CAST(${read} AS DATE) END`
}

/** A cast to TIMESTAMP alone leaves the zone out of account. */
const isoTime = (text: string): string =>
  `CASE WHEN regexp_matches(${text}, ':[0-9.]+ ?(Z|[+-][0-9:]+)$')
    THEN CAST(TRY_CAST(${text} AS TIMESTAMPTZ) AS TIMESTAMP) ELSE TRY_CAST(${text} AS TIMESTAMP) END`
