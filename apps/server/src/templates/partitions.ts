import { AppError } from '@parquetry/model'
import { type Macro, type Partition, partitionMacros } from '@parquetry/templates'
import { askCatalogue } from '../connection/catalogue.ts'
import type { ConnectionDeps } from '../connection/deps.ts'
import { type DatabaseRow, engineFor } from '../connection/source.ts'
import type { Principal } from '../access/principal.ts'
import type { Place } from '../sql-access/table-access.ts'
import { judgeTables, placeOf } from '../sql-access/judge.ts'

const longestMs = 30_000

/** The macros about partitions of a database whose engine has them; none else. */
export function partitionMacrosOf(
  deps: ConnectionDeps,
  principal: Principal,
  database: DatabaseRow,
  place: Place,
): Record<string, Macro> {
  const { partitionMacros: groups = [] } = engineFor(database)
  return partitionMacros(groups, (table, of) => partitionOf({ deps, principal, database, place }, table, of))
}

/**
 * The last partition of a table that has these values, as of at most a minute ago (`askCatalogue`).
 * @param name  `table`, `schema.table` or `catalog.schema.table`
 * @throws AppError `query_access` for a table that the person may not read, `template_invalid` for one that is not there
 */
async function partitionOf(
  {
    deps,
    principal,
    database,
    place: given,
  }: { deps: ConnectionDeps; principal: Principal; database: DatabaseRow; place: Place },
  name: string,
  of: Record<string, string>,
): Promise<Partition> {
  const [table = '', schema, catalog] = name.split('.').toReversed()
  const place = placeOf({ principal }, database, given)
  const named = { catalog: catalog ?? null, schema: schema ?? null, name: table }
  await judgeTables([named], database, { db: deps.db, principal }, place)
  const context = { deps, principal, signal: AbortSignal.timeout(longestMs) }
  const what = { what: 'partition', schema: schema ?? place.schema, table, of } as const
  try {
    return await askCatalogue(context, database, what, { catalog: catalog ?? place.catalog })
  } catch (error) {
    if (!(error instanceof AppError && ['table_missing', 'schema_missing'].includes(error.code))) throw error
    throw new AppError('template_invalid', { message: `${name}: ${error.message}`, cause: error })
  }
}
