import { useQuery } from '@tanstack/react-query'
import { api } from '../shared/api.ts'
import type { ApiDocument } from './api-document.ts'

/** The OpenAPI document of this server, read once per page. */
export const useApiDocument = () =>
  useQuery({
    queryKey: ['api-document'],
    queryFn: async ({ signal }) => (await api.get('/api/v1/_openapi', { signal })) as unknown as ApiDocument,
    staleTime: Infinity,
  })
