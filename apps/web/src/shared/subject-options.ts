import { subjectId, subjectTypes, type SubjectType } from '@parquetry/model/subject'
import type { LoadOptions } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

const pageSize = 100
const columns = ['label', 'secondary_label', 'active', 'user_id', 'role_id', 'group_id'] as const

/** Users who may sign in, roles or groups whose names contain the typed text; their ids are text as in `loadRelated`. */
export const loadSubjectsOfType =
  (type: SubjectType): LoadOptions<string> =>
  async (search, page, signal) => {
    const filters = [
      { col: 'type', opr: 'eq', value: subjectTypes[type] },
      ...(type === 'user' ? [{ col: 'active', opr: 'eq', value: true }] : []),
      ...(search.trim() === '' ? [] : [{ col: 'label', opr: 'subject_all_text', value: search.trim() }]),
    ]
    const { count, result } = await api.get('/api/v1/security/subject/', {
      q: { columns: [...columns], filters, order_column: 'label', order_direction: 'asc', page, page_size: pageSize },
      signal,
    })
    return {
      count,
      options: result.map(({ label, secondary_label, ...row }) => ({
        value: String(row[`${type}_id`]),
        label: label || secondary_label,
        ...(type === 'user' && label && { note: secondary_label }),
      })),
    }
  }

/** Name of a user, role or group whose id is in the address. */
export function useSubjectName(type: SubjectType, id: string | null): string | undefined {
  const { data } = useQuery({
    queryKey: ['security/subject', type, id],
    queryFn: ({ signal }) =>
      api.get('/api/v1/security/subject/:id', {
        params: { id: String(subjectId(type, Number(id))) },
        q: { columns: ['label'] },
        signal,
      }),
    enabled: id !== null && /^\d+$/.test(id),
    staleTime: Infinity,
  })
  return data?.result.label
}
