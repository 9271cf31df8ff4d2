/** With more schemas, tables are not counted, since one call per schema would burden the database. */
const maxSchemas = 50
const maxConcurrent = 4
/** System schemas, which are not counted. */
const ownSchemas = /^(information_schema|performance_schema|pg_catalog|mysql|sys|system)$/i

export interface TableCounts {
  schemas: number
  /** Null if there are too many schemas to count. */
  tables: number | null
}

/**
 * Counts the user's schemas and their tables.
 * @param countIn  returns the number of tables in a schema
 */
export async function countTables(
  names: readonly string[],
  countIn: (schema: string) => Promise<number>,
): Promise<TableCounts> {
  const schemas = names.filter((name) => !ownSchemas.test(name))
  if (schemas.length > maxSchemas) return { schemas: schemas.length, tables: null }
  const waiting = [...schemas]
  let tables = 0
  const take = async (): Promise<void> => {
    for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
      // Not `tables += await …`, which would drop what the other calls add meanwhile.
      const count = await countIn(schema)
      tables += count
    }
  }
  await Promise.all(Array.from({ length: maxConcurrent }, take))
  return { schemas: schemas.length, tables }
}
