import type { ListedTag } from '@parquetry/model'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'

const columns = [
  'id',
  'name',
  'type',
  'description',
  'created_by.id',
  'created_by.first_name',
  'created_by.last_name',
] as const

export type TagDetails = Pick<ListedTag, 'id' | 'name' | 'type' | 'description' | 'created_by'>

/** A tag by id; nothing for null. */
export const useTag = (id: number | null) =>
  useQuery({
    queryKey: ['tag', 'detail', id],
    queryFn: async ({ signal }): Promise<TagDetails> =>
      (await api.get('/api/v1/tag/:id', { params: { id: String(id) }, q: { columns: [...columns] }, signal })).result,
    enabled: id !== null,
  })
