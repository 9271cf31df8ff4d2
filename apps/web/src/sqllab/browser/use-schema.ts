import type { TableMetadata } from '@parquetry/model'
import { queryOptions, useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { api } from '../../shared/api.ts'
import type { CompletionTable } from '../editor/completion.ts'
import type { RowOf } from '../../shared/use-resource.ts'

/** The schema in which tables are listed. */
export interface SchemaRef {
  dbId: number
  catalog: string | null
  schema: string | null
}

const columns = [
  'id',
  'database_name',
  'backend',
  'allow_dml',
  'allow_run_async',
  'allow_ctas',
  'allow_cvas',
  'allows_cost_estimate',
  'disable_data_preview',
  'force_ctas_schema',
] as const

export type SqlLabDatabase = RowOf<'database', typeof columns>

/** Databases available in SQL Lab. */
export const useDatabases = () =>
  useQuery({
    queryKey: ['database', 'sqllab'],
    queryFn: async ({ signal }) =>
      (
        await api.get('/api/v1/database/', {
          q: {
            columns,
            filters: [{ col: 'expose_in_sqllab', opr: 'eq', value: true }],
            order_column: 'database_name',
            order_direction: 'asc',
            page: 0,
            page_size: -1,
            keys: ['none'],
          },
          signal,
        })
      ).result,
  })

const names = (dbId: number | null, collection: 'catalogs' | 'schemas', q: { catalog?: string }) =>
  queryOptions({
    queryKey: ['database', dbId, collection, ...(q.catalog === undefined ? [] : [q.catalog])],
    queryFn: async ({ signal }) =>
      (
        await api.get(`/api/v1/database/:id/${collection}/`, {
          params: { id: dbId ?? -1 },
          q: { force: false, ...q },
          signal,
        })
      ).result,
    enabled: dbId !== null,
    staleTime: 60_000,
  })

/** Empty for engines without catalogs. */
export const useCatalogs = (dbId: number | null) => useQuery(names(dbId, 'catalogs', {}))

export const useSchemas = (dbId: number | null, catalog: string | null = null) =>
  useQuery(names(dbId, 'schemas', catalog === null ? {} : { catalog }))

export const tablePageSize = 200

/** A page of the tables whose names contain `search`, prefix matches first. */
export const tablesPage = ({ dbId, catalog, schema }: SchemaRef, search: string, page: number) =>
  queryOptions({
    queryKey: ['database', dbId, 'tables', schema, catalog, search, page],
    queryFn: ({ signal }) =>
      api.get('/api/v1/database/:id/tables/', {
        params: { id: dbId },
        q: {
          force: false,
          schema_name: schema ?? '',
          ...(catalog !== null && { catalog_name: catalog }),
          ...(search !== '' && { search }),
          page,
          page_size: tablePageSize,
        },
        signal,
      }),
    staleTime: 60_000,
  })

/** Columns and keys of a table. */
export const tableDetails = ({ dbId, catalog, schema }: SchemaRef, name: string) =>
  queryOptions({
    queryKey: ['database', dbId, 'table', schema, name, catalog],
    queryFn: ({ signal }) =>
      api.get('/api/v1/database/:id/table_metadata/', {
        params: { id: dbId },
        query: { name, schema, catalog },
        signal,
        quiet: true,
      }),
    staleTime: 300_000,
    retry: false,
  })

/** Details that only some tables have: partitions, the text of a view. */
export const tableExtra = ({ dbId, catalog, schema }: SchemaRef, name: string) =>
  queryOptions({
    queryKey: ['database', dbId, 'table-extra', schema, name, catalog],
    queryFn: ({ signal }) =>
      api.get('/api/v1/database/:id/table_metadata/extra/', {
        params: { id: dbId },
        query: { name, schema, catalog },
        signal,
        quiet: true,
      }),
    staleTime: 300_000,
    retry: false,
  })

/** Rereads the catalog of a database from its source; the lists of the page are refreshed by their keys. */
export async function refreshSchema({ dbId, catalog, schema }: SchemaRef): Promise<void> {
  const catalogFilter = catalog === null ? {} : { catalog }
  await api.get('/api/v1/database/:id/schemas/', { params: { id: dbId }, q: { force: true, ...catalogFilter } })
  if (schema === null) return
  await api.get('/api/v1/database/:id/tables/', {
    params: { id: dbId },
    q: {
      force: true,
      schema_name: schema,
      ...(catalog !== null && { catalog_name: catalog }),
      page: 0,
      page_size: 1,
    },
  })
}

/** Tables of a schema, and the columns of those that were requested by expanding them or by completion. */
export function useTables(dbId: number | null, schema: string | null, catalog: string | null = null) {
  const [wanted, setWanted] = useState<readonly string[]>([])
  const tables = useQuery({
    queryKey: ['database', dbId, 'tables', schema, catalog],
    queryFn: async ({ signal }) =>
      (
        await api.get('/api/v1/database/:id/tables/', {
          params: { id: dbId ?? -1 },
          q: { force: false, schema_name: schema ?? '', ...(catalog !== null && { catalog_name: catalog }) },
          signal,
        })
      ).result,
    enabled: dbId !== null && schema !== null,
    staleTime: 60_000,
  })
  // Unlike a map, a list keeps its identity until its content changes.
  const combine = useCallback(
    (details: UseQueryResult<TableMetadata>[]) =>
      wanted.flatMap((name, index) => {
        const columns = details[index]?.data?.columns
        return columns ? [{ name, columns }] : []
      }),
    [wanted],
  )
  const columns = useQueries({
    queries: wanted.map((name) => ({
      ...tableDetails({ dbId: dbId ?? 0, catalog, schema }, name),
      enabled: dbId !== null,
    })),
    combine,
  })
  const known = useMemo<CompletionTable[]>(() => {
    const columnsOf = new Map(columns.map((table) => [table.name, table.columns]))
    return (tables.data ?? []).map(({ value }) => ({ name: value, columns: columnsOf.get(value) }))
  }, [tables.data, columns])
  const want = useCallback((wants: readonly string[]) => {
    setWanted((now) => {
      const fresh = wants.filter((name) => !now.includes(name))
      return fresh.length > 0 ? [...now, ...fresh] : now
    })
  }, [])
  return { tables, known, want }
}
