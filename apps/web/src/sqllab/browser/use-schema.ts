import { useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { api } from '../../shared/api.ts'
import type { KnownTable } from '../editor/completion.ts'

export interface DatabaseRow {
  id: number
  database_name: string
  backend: string
  allow_dml: boolean
  allow_run_async: boolean
  allow_ctas: boolean
  allow_cvas: boolean
  allows_cost_estimate: boolean
  disable_data_preview: boolean
  force_ctas_schema: string | null
}

interface TableAnswer {
  columns: { name: string; type: string; longType: string }[]
}

/** Databases that SQL Lab may use. */
export const useDatabases = () =>
  useQuery({
    queryKey: ['database', 'sqllab'],
    queryFn: async ({ signal }) =>
      (
        await api.get<{ result: DatabaseRow[] }>('/api/v1/database/', {
          q: {
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

export const useSchemas = (dbId: number | null) =>
  useQuery({
    queryKey: ['database', dbId, 'schemas'],
    queryFn: async ({ signal }) =>
      (await api.get<{ result: string[] }>(`/api/v1/database/${dbId}/schemas/`, { q: { force: false }, signal }))
        .result,
    enabled: dbId !== null,
  })

/** Tables of a schema, and the columns of those that were asked for: by opening them, or by the completion. */
export function useTables(dbId: number | null, schema: string | null) {
  const [wanted, setWanted] = useState<readonly string[]>([])
  const tables = useQuery({
    queryKey: ['database', dbId, 'tables', schema],
    queryFn: async ({ signal }) =>
      (
        await api.get<{ result: { value: string; type: 'table' | 'view' }[] }>(`/api/v1/database/${dbId}/tables/`, {
          q: { force: false, schema_name: schema },
          signal,
        })
      ).result,
    enabled: dbId !== null && schema !== null,
  })
  const details = useQueries({
    queries: wanted.map((name) => ({
      queryKey: ['database', dbId, 'table', schema, name],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.get<TableAnswer>(
          `/api/v1/database/${dbId}/table/${encodeURIComponent(name)}/${encodeURIComponent(schema ?? 'null')}/`,
          { signal, quiet: true },
        ),
      enabled: dbId !== null,
      staleTime: 300_000,
      retry: false,
    })),
  })
  const known = useMemo<KnownTable[]>(
    () =>
      (tables.data ?? []).map(({ value }) => ({ name: value, columns: details[wanted.indexOf(value)]?.data?.columns })),
    [tables.data, details, wanted],
  )
  const want = useCallback((names: readonly string[]) => {
    setWanted((now) => {
      const fresh = names.filter((name) => !now.includes(name))
      return fresh.length > 0 ? [...now, ...fresh] : now
    })
  }, [])
  return { tables, known, want }
}
