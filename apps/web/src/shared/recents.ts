import { queryOptions } from '@tanstack/react-query'
import { api } from './api.ts'

export interface RecentItem {
  action: string
  item_type: 'dashboard' | 'chart'
  item_title: string
  item_url: string
  time: number
  time_delta_humanized: string
}

/** What the user looked at last, newest first, each thing once. */
export const recentOptions = (most: number) =>
  queryOptions({
    queryKey: ['log', 'recent', most],
    queryFn: async ({ signal }) => {
      const { result } = await api.get<{ result: RecentItem[] }>('/api/v1/log/recent_activity/', {
        q: { page: 0, page_size: most, distinct: true },
        signal,
      })
      return result.filter(({ item_url, item_title }) => item_url && item_title).slice(0, most)
    },
  })
