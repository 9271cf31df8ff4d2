import { queryOptions } from '@tanstack/react-query'
import { api } from './api.ts'

/** What the user looked at last, newest first, each thing once. */
export const recentItemsOptions = (most: number) =>
  queryOptions({
    queryKey: ['log', 'recent', most],
    queryFn: async ({ signal }) => {
      const { result } = await api.get('/api/v1/log/recent_activity/', {
        q: { page: 0, page_size: most, distinct: true },
        signal,
      })
      return result.filter(({ item_url, item_title }) => item_url && item_title).slice(0, most)
    },
  })
