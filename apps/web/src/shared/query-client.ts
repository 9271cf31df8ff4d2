import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './errors.ts'

const retriesWhenCut = 2
/** No answer, or a server that is just restarting. */
const isPassing = (error: Error): boolean => error instanceof ApiError && [0, 502, 503, 504].includes(error.status)

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (count, error) => count < retriesWhenCut && isPassing(error),
      // Our own strip says that the browser is offline; a paused query would show a skeleton for ever.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})
