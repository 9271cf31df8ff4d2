import type { FrameKind, GenericType } from '@parquetry/model'

/** Kind of a declared type: https://www.sqlite.org/datatype3.html , plus times and booleans by their names. */
export function parseDeclaredKind(declared: string | null): FrameKind | null {
  const type = declared?.toUpperCase() ?? ''
  if (type === '') return null
  if (/^(TIMESTAMP|DATETIME|DATE)\b/.test(type)) return 'time'
  if (type.startsWith('BOOL')) return 'boolean'
  if (type.includes('INT')) return 'bigint'
  if (/CHAR|CLOB|TEXT|JSON/.test(type)) return 'string'
  return /REAL|FLOA|DOUB|NUMERIC|DECIMAL/.test(type) ? 'number' : null
}

const generics: Record<FrameKind, GenericType> = {
  number: 0,
  bigint: 0,
  decimal: 0,
  time: 2,
  boolean: 3,
  string: 1,
  json: 1,
}
export const genericOf = (kind: FrameKind | null): GenericType => (kind === null ? 1 : generics[kind])

/** Returns the API's generic type for a declared type. A time of day is temporal, although its values are texts. */
export const genericOfDeclared = (declared: string | null): GenericType =>
  /^TIME\b/i.test(declared ?? '') ? 2 : genericOf(parseDeclaredKind(declared))
