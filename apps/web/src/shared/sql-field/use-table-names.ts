import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import type { SqlName } from './sql-completions.ts'
import type { TypedQuery } from './use-query-check.ts'

/** Number of tables offered; in larger schemas, some names must be typed in full. */
const maxTables = 2000
const none: readonly SqlName[] = []

/** Returns the tables of a schema as names for SQL; empty without a schema or while loading. */
export function useTableNames(
  namespace: Pick<TypedQuery, 'database_id' | 'schema' | 'catalog'> | null,
): readonly SqlName[] {
  const { data } = useQuery({
    queryKey: ['database', namespace?.database_id, 'table-names', namespace?.catalog, namespace?.schema],
    queryFn: async ({ signal }) => {
      const { result } = await api.get('/api/v1/database/:id/tables/', {
        params: { id: namespace?.database_id ?? -1 },
        q: {
          schema_name: namespace?.schema ?? '',
          ...(namespace?.catalog && { catalog_name: namespace.catalog }),
          force: false,
          page: 0,
          page_size: maxTables,
        },
        signal,
      })
      return result.map(({ value, type }): SqlName => ({ name: value, icon: 'table', note: type }))
    },
    enabled: namespace !== null && Boolean(namespace.schema),
    staleTime: 60_000,
    retry: false,
  })
  return data ?? none
}
