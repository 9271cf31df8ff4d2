import { queryOptions } from '@tanstack/react-query'
import { api } from './api.ts'
import { can } from './rights.ts'

/** Users without this permission have no list of recent objects. */
export const mayReadRecents = can('can_recent_activity', 'Log')

/** Objects that the user viewed last, newest first, without duplicates. */
export const recentItemsOptions = (limit: number) =>
  queryOptions({
    queryKey: ['log', 'recent', limit],
    queryFn: async ({ signal }) => {
      const { result } = await api.get('/api/v1/log/recent_activity/', {
        q: { page: 0, page_size: limit, distinct: true },
        signal,
      })
      return result.filter(({ item_url, item_title }) => item_url && item_title).slice(0, limit)
    },
  })
