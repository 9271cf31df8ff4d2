import { useQuery } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import { formQueryOptions } from '../FormErrors.tsx'

const columns = [
  'id',
  'name',
  'description',
  'filter_type',
  'tables.id',
  'tables.schema',
  'tables.table_name',
  'subjects.id',
  'subjects.label',
  'subjects.type',
  'group_key',
  'clause',
  'is_checked',
  'changed_on',
] as const

/** Loads a rule by its id; null loads nothing. */
export const useRule = (id: number | null) =>
  useQuery({
    queryKey: ['rowlevelsecurity', 'item', id],
    queryFn: async ({ signal }) =>
      (
        await api.get('/api/v1/rowlevelsecurity/:id', {
          params: { id: String(id) },
          q: { columns: [...columns] },
          signal,
        })
      ).result,
    enabled: id !== null,
    ...formQueryOptions,
  })

export type Rule = NonNullable<ReturnType<typeof useRule>['data']>

/** Columns of a dataset, and the backend of its database, for completions; empty until they are loaded. */
export function useDatasetColumns(id: number | undefined): {
  names: { name: string; type: string }[]
  backend: string
} {
  const { data } = useQuery({
    queryKey: ['dataset', 'columns', id],
    queryFn: ({ signal }) =>
      api.get('/api/v1/dataset/:id', {
        params: { id: String(id) },
        q: { columns: ['columns.column_name', 'columns.type', 'database.backend'] },
        signal,
      }),
    enabled: id !== undefined,
    staleTime: 60_000,
  })
  const found = data?.result
  return {
    names: (found?.columns ?? []).map(({ column_name, type }) => ({ name: column_name, type: type ?? '' })),
    backend: found?.database.backend ?? '',
  }
}
