import { AppError, message } from '@parquetry/model'
import { type Macro, type Partition, buildPartitionMacros } from '@parquetry/templates'
import { describeSource } from '../connection/describe-source.ts'
import type { ConnectionDeps } from '../connection/deps.ts'
import { type DatabaseRow, engineFor } from '../connection/source.ts'
import type { Principal } from '../access/principal.ts'
import type { Namespace } from '../sql-access/table-access.ts'
import { authorizeTables, resolveNamespace } from '../sql-access/authorize-sql.ts'

const lookupTimeoutMs = 30_000

/** Partition macros of a database, if its engine has them. */
export function createPartitionMacros(
  deps: ConnectionDeps,
  principal: Principal,
  database: DatabaseRow,
  namespace: Namespace,
): Record<string, Macro> {
  const { partitionMacros: groups = [] } = engineFor(database)
  return buildPartitionMacros(groups, (table, values) =>
    findLatestPartition({ deps, principal, database, place: namespace }, table, values),
  )
}

/**
 * The last partition of a table with these values, at most a minute old (`describeSource`).
 * @param name  `table`, `schema.table` or `catalog.schema.table`
 * @throws AppError `query_access` for a table that the user may not read, `template_invalid` for one that does not exist
 */
async function findLatestPartition(
  {
    deps,
    principal,
    database,
    place: requested,
  }: { deps: ConnectionDeps; principal: Principal; database: DatabaseRow; place: Namespace },
  name: string,
  values: Record<string, string>,
): Promise<Partition> {
  const [table = '', schema, catalog] = name.split('.').toReversed()
  const namespace = resolveNamespace({ principal }, database, requested)
  const tableName = { catalog: catalog ?? null, schema: schema ?? null, name: table }
  await authorizeTables([tableName], database, { db: deps.db, principal }, namespace)
  const context = { deps, principal, signal: AbortSignal.timeout(lookupTimeoutMs) }
  const request = { what: 'partition', schema: schema ?? namespace.schema, table, values } as const
  try {
    return await describeSource(context, database, request, { catalog: catalog ?? namespace.catalog })
  } catch (error) {
    if (!(error instanceof AppError && ['table_missing', 'schema_missing'].includes(error.code))) throw error
    throw new AppError('template_invalid', {
      message: message('errors.templates.partition', '{table}: {reason}', { table: name, reason: error.sentence }),
      cause: error,
    })
  }
}
