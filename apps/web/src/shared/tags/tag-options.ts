import type { LoadOptions } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'

const pageSize = 100
const columns = ['id', 'name', 'type'] as const

/** Tags that users have written, by name. @param by what the values of the options are: names, or ids as text */
export const loadTags =
  (by: 'name' | 'id'): LoadOptions<string> =>
  async (search, page, signal) => {
    const filters = [
      { col: 'type', opr: 'custom_tag', value: true },
      ...(search.trim() === '' ? [] : [{ col: 'name', opr: 'ct', value: search.trim() }]),
    ]
    const { count, result } = await api.get('/api/v1/tag/', {
      q: { columns: [...columns], filters, order_column: 'name', order_direction: 'asc', page, page_size: pageSize },
      signal,
    })
    return { count, options: result.map(({ id, name }) => ({ value: by === 'id' ? String(id) : name, label: name })) }
  }

/** Name of a tag whose id is in the address; the text itself if it is not an id. */
export function useTagName(id: string | null): string | undefined {
  const isId = id !== null && /^\d+$/.test(id)
  const { data } = useQuery({
    queryKey: ['tag', 'name', id],
    queryFn: ({ signal }) => api.get('/api/v1/tag/:id', { params: { id: id ?? '' }, q: { columns: ['name'] }, signal }),
    enabled: isId,
  })
  return isId ? data?.result.name : (id ?? undefined)
}
