import type { GenericType } from '@parquetry/model'

/** Type numbers of the protocol: https://mariadb.com/kb/en/result-set-packets/ . */
export const typeCodes = {
  decimal: 0,
  tiny: 1,
  short: 2,
  long: 3,
  float: 4,
  double: 5,
  null: 6,
  timestamp: 7,
  longlong: 8,
  int24: 9,
  date: 10,
  time: 11,
  datetime: 12,
  year: 13,
  newdate: 14,
  bit: 16,
  json: 245,
  newdecimal: 246,
  geometry: 255,
} as const

/** Type names that the API has always shown for the columns of results. */
const names: Record<number, string> = {
  0: 'DECIMAL',
  1: 'TINY',
  2: 'SHORT',
  3: 'LONG',
  4: 'FLOAT',
  5: 'DOUBLE',
  6: 'NULL',
  7: 'TIMESTAMP',
  8: 'LONGLONG',
  9: 'INT24',
  10: 'DATE',
  11: 'TIME',
  12: 'DATETIME',
  13: 'YEAR',
  14: 'NEWDATE',
  15: 'VARCHAR',
  16: 'BIT',
  245: 'JSON',
  246: 'NEWDECIMAL',
  247: 'ENUM',
  248: 'SET',
  249: 'TINY_BLOB',
  250: 'MEDIUM_BLOB',
  251: 'LONG_BLOB',
  252: 'BLOB',
  253: 'VAR_STRING',
  254: 'STRING',
  255: 'GEOMETRY',
}

export const mysqlResultTypeName = (columnType: number): string => names[columnType] ?? 'STRING'

/**
 * Converts COLUMN_TYPE to the API's spelling: `int(11) unsigned` becomes INTEGER(11) UNSIGNED, the values of an ENUM do not
 * change.
 */
export const formatMysqlColumnType = (type: string): string =>
  type
    .replace(/^[a-z ]+|\)[a-z ]+$/gi, (keywords) => keywords.toUpperCase())
    .replace(/^INT\b/, 'INTEGER')
    .replace(/^(DECIMAL\(\d+),(\d+\))/, '$1, $2')

const numeric =
  /^(TINY|SHORT|LONG|LONGLONG|INT24|BIT|YEAR|FLOAT|DOUBLE|REAL|(NEW)?DECIMAL|NUMERIC|((TINY|SMALL|MEDIUM|BIG)?INT(EGER)?))\b/
const temporal = /^(TIME(STAMP)?|DATETIME|(NEW)?DATE)\b/

/** Returns the API's generic type for either of a type's names. */
export const genericOf = (name: string): GenericType => (numeric.test(name) ? 0 : temporal.test(name) ? 2 : 1)
