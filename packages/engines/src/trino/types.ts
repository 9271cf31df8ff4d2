import type { GenericType } from '@parquetry/model'

const numeric = /^(TINYINT|SMALLINT|INTEGER|BIGINT|REAL|DOUBLE|DECIMAL)\b/
const temporal = /^(DATE|TIME|TIMESTAMP)\b/

/** Returns the API's generic type for a type name as the server prints it, in upper case: `TIMESTAMP(3) WITH TIME ZONE`. */
export function genericOf(type: string): GenericType {
  if (numeric.test(type)) return 0
  if (temporal.test(type)) return 2
  return type === 'BOOLEAN' ? 3 : 1
}
