import { ApiError } from '@parquetry/client'
import { QueryClient } from '@tanstack/react-query'
import { onReconnect } from './online.ts'

const retriesWhenCut = 2
/** No response, or a server that is restarting. */
const isTransient = (error: Error): boolean => error instanceof ApiError && [0, 502, 503, 504].includes(error.status)

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (count, error) => count < retriesWhenCut && isTransient(error),
      // The app's own banner reports that the browser is offline; a paused query would show a skeleton forever.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

const isUnanswered = (error: Error | null): boolean => error instanceof ApiError && error.status === 0

onReconnect(
  () =>
    void queryClient.refetchQueries({
      type: 'active',
      predicate: ({ state }) => isUnanswered(state.error as Error | null),
    }),
)
