import { useQuery } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import type { ExploreDataset } from '../use-explore.ts'
import { findPartitionColumn } from './filters.ts'

type Table = Pick<ExploreDataset, 'id' | 'type' | 'database' | 'schema' | 'table_name' | 'sql' | 'is_sqllab_view'>

/** The partition column of a table (CTRL-090); null if there is not exactly one, for SQL (CTRL-091), and until it is known. */
export function usePartitionColumn({
  id,
  type,
  database,
  schema,
  table_name,
  sql,
  is_sqllab_view,
}: Table): string | null {
  const isTable = type === 'table' && !is_sqllab_view && !sql
  const { data } = useQuery({
    queryKey: ['partition-column', id],
    queryFn: async ({ signal }) => {
      try {
        const params = { id: database.id }
        const extra = await api.get('/api/v1/database/:id/table_metadata/extra/', {
          params,
          query: { name: table_name, ...(schema && { schema }) },
          signal,
        })
        return findPartitionColumn(extra)
      } catch (error) {
        // CTRL-092: a failure only hides one operator.
        // oxlint-disable-next-line no-console -- no one has to act on it
        if (!signal.aborted) console.warn('The partitions of the table could not be read.', error)
        return null
      }
    },
    enabled: isTable,
    staleTime: Infinity,
    retry: false,
  })
  return data ?? null
}
