import type { GenericType } from '@parquetry/model'

const numeric = /^(U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|BIGNUM|FLOAT|DOUBLE|DECIMAL\(\d+,\d+\))$/
const temporal = /^(DATE|TIME|TIMESTAMP)(_(S|MS|NS))?( WITH TIME ZONE)?$/

/**
 * Returns the API's generic type for the name of a DuckDB type as `DESCRIBE` prints it: `DECIMAL(18,3)`, `TIMESTAMP WITH TIME
 * ZONE`. Lists and intervals count as text.
 */
export function genericOf(type: string): GenericType {
  if (numeric.test(type)) return 0
  if (temporal.test(type)) return 2
  return type === 'BOOLEAN' ? 3 : 1
}
