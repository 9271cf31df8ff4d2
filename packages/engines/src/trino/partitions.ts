import { AppError } from '@parquetry/model/errors'
import { dialect } from './dialect.ts'

/** A partition column of a table, as in the catalog. */
export interface PartitionColumn {
  name: string
  type: string
}

type Ask = (sql: string) => Promise<readonly unknown[][]>

const { quote, literal } = dialect

/** Marks partition columns in the catalog. */
export const partitionKey = 'partition key'

/**
 * Returns SQL of a text as a value of the type. Texts are not cast: a cast to a shorter type would truncate them and find another
 * value.
 */
const castLiteral = (value: string, type: string): string =>
  /^(var)?char/i.test(type) ? literal(value) : `CAST(${literal(value)} AS ${type})`

/**
 * Returns the query for the last partition by the order of its columns, from the list that the connector provides for the table.
 */
function partitionQuery(
  path: string[],
  columns: readonly PartitionColumn[],
  fixedValues: Record<string, string>,
): string {
  const table = path
    .with(-1, `${path.at(-1)}$partitions`)
    .map(quote)
    .join('.')
  const names = columns.map(({ name }) => quote(name))
  const conditions = columns.flatMap(({ name, type }) =>
    Object.hasOwn(fixedValues, name) ? [`${quote(name)} = ${castLiteral(fixedValues[name] ?? '', type)}`] : [],
  )
  return [
    `SELECT ${names.join(', ')}`,
    `FROM ${table}`,
    ...(conditions.length > 0 ? [`WHERE ${conditions.join(' AND ')}`] : []),
    `ORDER BY ${names.map((name) => `${name} DESC`).join(', ')}`,
    'LIMIT 1',
  ].join('\n')
}

/**
 * Returns the last partition with these values, as text by column without nulls; undefined for a table without partitions, or if
 * the connector has no list of them.
 * @param path  catalog, schema and table
 */
export async function latestPartition(
  path: string[],
  columns: readonly PartitionColumn[],
  fixedValues: Record<string, string>,
  query: Ask,
): Promise<{ cols: string[]; latest: Record<string, string>; partitionQuery: string } | undefined> {
  if (columns.length === 0) return undefined
  const cols = columns.map(({ name }) => name)
  const sql = partitionQuery(path, columns, fixedValues)
  try {
    const [values = []] = await query(sql)
    const known = cols.flatMap((name, index) =>
      values[index] === null || values[index] === undefined ? [] : [[name, String(values[index])]],
    )
    return { cols, latest: Object.fromEntries(known) as Record<string, string>, partitionQuery: sql }
  } catch (error) {
    if (error instanceof AppError && error.code === 'table_missing') return undefined
    throw error
  }
}
