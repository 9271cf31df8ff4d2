import type { GenericType } from '@parquetry/model'

/** Type ids of pg_type.dat, which are the same in every server. */
export const oid = {
  bool: 16,
  bytea: 17,
  int8: 20,
  int2: 21,
  int4: 23,
  oid: 26,
  json: 114,
  float4: 700,
  float8: 701,
  date: 1082,
  time: 1083,
  timestamp: 1114,
  timestamptz: 1184,
  interval: 1186,
  timetz: 1266,
  numeric: 1700,
  jsonb: 3802,
} as const

/** Type names that the API has always shown for the columns of PostgreSQL results; any other type is STRING. */
const resultNames: Record<string, readonly number[]> = {
  BOOLEAN: [16],
  BINARY: [17],
  LONGINTEGER: [20],
  INTEGER: [21, 23],
  FLOAT: [700, 701],
  DECIMAL: [1700],
  DATE: [1082],
  TIME: [1083, 1266],
  DATETIME: [1114],
  DATETIMETZ: [1184],
  INTERVAL: [1186],
  JSON: [114],
  JSONB: [3802],
  ROWID: [26],
  MACADDR: [829],
  BOOLEANARRAY: [1000],
  BINARYARRAY: [1001],
  STRINGARRAY: [1002, 1003, 1009, 1014, 1015],
  INTEGERARRAY: [1005, 1006, 1007],
  LONGINTEGERARRAY: [1016],
  FLOATARRAY: [1021, 1022],
  INETARRAY: [1041],
  DATETIMEARRAY: [1115],
  DATEARRAY: [1182],
  TIMEARRAY: [1183, 1270],
  DATETIMETZARRAY: [1185],
  INTERVALARRAY: [1187],
  DECIMALARRAY: [1231],
  JSONARRAY: [199],
  JSONBARRAY: [3807],
}
const nameOfOid = new Map(Object.entries(resultNames).flatMap(([name, ids]) => ids.map((id) => [id, name] as const)))

export const postgresResultTypeName = (typeId: number): string => nameOfOid.get(typeId) ?? 'STRING'

/** How JSON writes the elements of an array: unquoted for numbers and booleans. */
export const arrayElements = new Map<number, 'bare' | 'boolean' | 'text' | 'json'>([
  [1000, 'boolean'],
  ...[1005, 1007, 1016, 1021, 1022, 1231].map((id) => [id, 'bare'] as const),
  ...[199, 3807].map((id) => [id, 'json'] as const),
  ...[1001, 1002, 1003, 1009, 1014, 1015, 1041, 1115, 1182, 1183, 1185, 1187, 1270, 2951].map(
    (id) => [id, 'text'] as const,
  ),
])

/** Converts `format_type` to the API's spelling: `character varying(20)` becomes VARCHAR(20), `numeric(10,2)` NUMERIC(10, 2). */
export const formatPostgresColumnType = (formatted: string): string =>
  formatted
    .toUpperCase()
    .replace(/^CHARACTER VARYING/, 'VARCHAR')
    .replace(/^CHARACTER(?=\(|\[|$)/, 'CHAR')
    .replace(/^(NUMERIC)\((\d+),(\d+)\)/, '$1($2, $3)')

const numeric = /^(SMALLINT|INT(EGER)?|BIGINT|LONGINTEGER|DECIMAL|NUMERIC|FLOAT|DOUBLE PRECISION|REAL|MONEY)\b/
const temporal = /^(TIMESTAMP|DATETIME|DATETIMETZ|DATE|TIME)\b/

/** Returns the API's generic type for either of a type's names. Lists and intervals count as text. */
export function genericOf(name: string): GenericType {
  if (name.endsWith(']') || name.endsWith('ARRAY')) return 1
  if (numeric.test(name)) return 0
  if (temporal.test(name)) return 2
  return name === 'BOOLEAN' ? 3 : 1
}
