import type { TableName } from './rules.ts'

/** Engines that compare names of tables letter for letter; the others ignore case, at least on some systems. */
const exactEngines = new Set(['postgresql', 'clickhouse'])

/** Spelling of a name under which an engine finds it, for comparisons. The name is as stored: without quotes, folded by the parser. */
export const foldName = (name: string, engine: string): string => (exactEngines.has(engine) ? name : name.toLowerCase())

/**
 * Returns whether two names may denote the same table on an engine. A part that is null or empty is unknown and may be any.
 * Unequal catalogs, schemas or names are different tables; a view of a table is a table of its own.
 */
export function mayBeSameTable(one: TableName, other: TableName, engine: string): boolean {
  const isSame = (a: string, b: string) => foldName(a, engine) === foldName(b, engine)
  const mayBe = (a: string | null, b: string | null) => !a || !b || isSame(a, b)
  return isSame(one.name, other.name) && mayBe(one.schema, other.schema) && mayBe(one.catalog, other.catalog)
}
