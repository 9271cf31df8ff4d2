import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { useDebounced } from '../use-debounced.ts'
import { toSqlProblem, type SqlProblem } from './use-expression-check.ts'

/** A whole query, and where it would run. */
export interface TypedQuery {
  database_id: number
  schema: string | null
  catalog: string | null
  sql: string
  template_params?: Record<string, unknown>
}

const debounceMs = 600
/** A longer text is not sent with every pause. */
const maxLength = 200_000

/** Returns the database's error for a query without running it; null when it has none, or when no validator supports its SQL. */
export function useQueryCheck(query: TypedQuery | null): SqlProblem | null {
  const typed = query?.sql.trim() && query.sql.length <= maxLength ? JSON.stringify(query) : ''
  const debounced = useDebounced(typed, debounceMs)
  const { data } = useQuery({
    queryKey: ['query-check', debounced],
    queryFn: async ({ signal }) => {
      const { database_id, ...body } = JSON.parse(debounced) as TypedQuery
      const { result } = await api.post('/api/v1/database/:id/validate_sql/', {
        params: { id: database_id },
        body: { template_params: {}, ...body },
        signal,
      })
      return toSqlProblem(body.sql, result)
    },
    enabled: typed !== '' && debounced === typed,
    staleTime: 60_000,
    retry: false,
  })
  return debounced === typed ? (data ?? null) : null
}
