import type { GenericType } from '@parquetry/model'

const numeric = /^(U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|BIGNUM|FLOAT|DOUBLE|DECIMAL\(\d+,\d+\))$/
const temporal = /^(DATE|TIME|TIMESTAMP)(_(S|MS|NS))?( WITH TIME ZONE)?$/

/**
 * How the API counts a DuckDB type by its name, as `DESCRIBE` prints it: `DECIMAL(18,3)`, `TIMESTAMP WITH TIME ZONE`. Lists
 * and intervals are text to it.
 */
export function genericOf(type: string): GenericType {
  if (numeric.test(type)) return 0
  if (temporal.test(type)) return 2
  return type === 'BOOLEAN' ? 3 : 1
}
