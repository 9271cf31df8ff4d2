import { useQuery } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'

/** Engines that the server can connect to, preferred ones first. */
export const useEngines = () =>
  useQuery({
    queryKey: ['database', 'available'],
    queryFn: async ({ signal }) => (await api.get('/api/v1/database/available/', { signal })).databases,
    staleTime: Infinity,
  })
