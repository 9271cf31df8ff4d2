import { useQuery } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import type { Layer } from './annotation-list.tsx'

/** Loads a layer by its id; null loads nothing. */
export const useAnnotationLayer = (id: number | null) =>
  useQuery({
    queryKey: ['annotation_layer', 'item', id],
    queryFn: async ({ signal }): Promise<Layer> => {
      const { result } = await api.get('/api/v1/annotation_layer/:id', { params: { id: id ?? -1 }, signal })
      return { id: id ?? -1, name: String(result['name']), descr: (result['descr'] as string | null) || null }
    },
    enabled: id !== null,
  })
