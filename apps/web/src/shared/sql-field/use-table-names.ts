import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import type { SqlName } from './sql-completions.ts'
import type { TypedQuery } from './use-query-check.ts'

/** Number of tables offered; in larger schemas, some names must be typed in full. */
const maxTables = 2000
const none: readonly SqlName[] = []

/** Returns the tables of a schema as names for SQL; empty without a schema or while loading. */
export function useTableNames(
  place: Pick<TypedQuery, 'database_id' | 'schema' | 'catalog'> | null,
): readonly SqlName[] {
  const { data } = useQuery({
    queryKey: ['database', place?.database_id, 'table-names', place?.catalog, place?.schema],
    queryFn: async ({ signal }) => {
      const { result } = await api.get('/api/v1/database/:id/tables/', {
        params: { id: place?.database_id ?? -1 },
        q: {
          schema_name: place?.schema ?? '',
          ...(place?.catalog && { catalog_name: place.catalog }),
          force: false,
          page: 0,
          page_size: maxTables,
        },
        signal,
      })
      return result.map(({ value, type }): SqlName => ({ name: value, icon: 'table', note: type }))
    },
    enabled: place !== null && Boolean(place.schema),
    staleTime: 60_000,
    retry: false,
  })
  return data ?? none
}
