import {
  AppError,
  databaseMetadataRoutes as routes,
  legacyDataRoutes,
  message,
  type TablesQuery,
} from '@parquetry/model'
import type { ConnectionDeps } from '../connection/deps.ts'
import type { App } from '../http/app.ts'
import type { Principal } from '../access/principal.ts'
import { visibleRow } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import type { ConnectionContext } from '../connection/describe-source.ts'
import { databaseResource } from './database-resource.ts'
import { parseOptionalName } from './optional-name.ts'
import {
  listCatalogs,
  describeTable,
  listFunctionNames,
  listSchemas,
  buildTableSelect,
  tableExtra,
  tableMetadata,
  type TableRef,
  listTables,
} from './metadata.ts'
import type { DatabaseRow } from '../connection/source.ts'

const maxPageSize = 1000

/** Parameters of `q` that are missing in its schema because the API prints the schema in error messages. */
function readPage(query: object): Pick<TablesQuery, 'search' | 'page' | 'page_size'> {
  const { search, page, page_size } = query as Record<keyof TablesQuery, unknown>
  const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
  return {
    ...(typeof search === 'string' && { search }),
    ...(isCount(page) && { page }),
    ...(isCount(page_size) && { page_size: Math.min(page_size, maxPageSize) }),
  }
}

/** Catalog routes of `/api/v1/database/{id}/` for SQL editors, in all spellings. */
export function metadataRoutes(app: App, deps: ConnectionDeps): void {
  const row = (id: number, principal: Principal) =>
    visibleRow<DatabaseRow>(databaseResource, id, readContext(app, principal))
  /** Fails with the error of the newer routes. */
  const typedRow = (id: number, principal: Principal) =>
    row(id, principal).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'not_found' ? new AppError('database_not_found') : error
    })
  const contextOf = ({ principal, signal }: { principal: Principal; signal: AbortSignal }): ConnectionContext => ({
    ...readContext(app, principal),
    deps,
    signal,
  })

  serve(app, routes.catalogs, async ({ params, rison, ...call }) => ({
    result: await listCatalogs(contextOf(call), await row(params.id, call.principal), rison),
  }))
  serve(app, routes.schemas, async ({ params, rison, ...call }) => {
    const { catalog } = rison as { catalog?: string }
    const options = { catalog: parseOptionalName(catalog), force: rison.force === true }
    return { result: await listSchemas(contextOf(call), await row(params.id, call.principal), options) }
  })
  serve(app, routes.tables, async ({ params, rison, ...call }) => {
    const { catalog_name } = rison as TablesQuery
    return listTables(contextOf(call), await row(params.id, call.principal), {
      ...readPage(rison),
      schema: parseOptionalName(rison.schema_name),
      catalog: parseOptionalName(catalog_name),
      force: rison.force === true,
    })
  })

  type Named = { table: string; schema?: string | undefined; catalog?: string | undefined }
  const toTableRef = ({ table, schema, catalog }: Named): TableRef => ({
    table,
    schema: parseOptionalName(schema),
    catalog: parseOptionalName(catalog),
  })
  const missingTable = () => new AppError('table_not_found')

  serve(app, routes.table, async ({ params, ...call }) => {
    const database = await row(params.id, call.principal)
    const tableRef = toTableRef(params)
    const missing = () => new AppError('unprocessable', { message: tableRef.table })
    return tableMetadata(database, tableRef, await describeTable(contextOf(call), database, tableRef, { missing }))
  })
  serve(app, routes.tableMetadata, async ({ params, query, ...call }) => {
    const database = await typedRow(params.id, call.principal)
    const tableRef = toTableRef({ ...query, table: query.name })
    const found = await describeTable(contextOf(call), database, tableRef, { unreadable: missingTable })
    return tableMetadata(database, tableRef, found)
  })

  for (const route of [routes.tableExtra, routes.olderExtra] as const)
    serve(app, route, async ({ params, ...call }) => {
      const database = await row(params.id, call.principal)
      return tableExtra(await describeTable(contextOf(call), database, toTableRef(params)))
    })
  serve(app, routes.tableMetadataExtra, async ({ params, query, ...call }) => {
    const table = query.name ?? query.table
    if (table === undefined)
      throw new AppError('bad_request', {
        message: message('errors.database.noTableName', 'The table name is missing.'),
      })
    const database = await typedRow(params.id, call.principal)
    const tableRef = toTableRef({ ...query, table })
    return tableExtra(await describeTable(contextOf(call), database, tableRef, { unreadable: missingTable }))
  })

  for (const route of [routes.selectStar, routes.selectStarOfSchema] as const)
    serve(app, route, async ({ params, query, ...call }) => {
      const database = await row(params.id, call.principal)
      const tableRef = toTableRef({ ...params, ...query })
      return { result: buildTableSelect(database, tableRef, await describeTable(contextOf(call), database, tableRef)) }
    })

  for (const route of [legacyDataRoutes.tables, legacyDataRoutes.refreshedTables] as const)
    serve(app, route, async ({ params, ...call }) => {
      const force = 'force_refresh' in params && params.force_refresh === 'true'
      // Clients write a missing schema in either way.
      const schema = params.schema === 'undefined' || params.schema === 'null' ? undefined : params.schema
      const options = { schema: parseOptionalName(schema), force }
      const { count, result } = await listTables(contextOf(call), await row(params.db_id, call.principal), options)
      return { tableLength: count, options: result.map((table) => ({ ...table })) }
    })

  serve(app, routes.functionNames, async ({ params, ...call }) => ({
    function_names: await listFunctionNames(contextOf(call), await row(params.id, call.principal)),
  }))
}
