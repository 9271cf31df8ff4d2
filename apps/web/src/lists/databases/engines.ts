import { useQuery } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'

/** The engines that this server can connect, the preferred ones first. */
export const useEngines = () =>
  useQuery({
    queryKey: ['database', 'available'],
    queryFn: async ({ signal }) => (await api.get('/api/v1/database/available/', { signal })).databases,
    staleTime: Infinity,
  })
