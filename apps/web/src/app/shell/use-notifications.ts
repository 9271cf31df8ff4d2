import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../shared/api.ts'
import { boot } from '../../shared/boot.ts'
import { hasReports } from '../../shared/reports/has-reports.ts'

/** Only reports notify so far. */
const isOn = hasReports && !boot.user.isAnonymous

/** The first call waits until a page has its own data. */
const firstAfterMs = 15_000
const everyMs = 5 * 60_000
const countKey = 'parquetry.unreadNotifications'

const queryKey = ['notification', 'list']

/**
 * Notifications of the user. They load a while after the page, then rarely, or at once when `isOpen`; until then the number of
 * unread ones is that of the last page in this browser tab.
 */
export function useNotifications(isOpen: boolean) {
  const queries = useQueryClient()
  const [isDue, setDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), firstAfterMs)
    return () => clearTimeout(timer)
  }, [])
  const list = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.get('/api/v1/notification/', { signal }),
    enabled: isOn && (isDue || isOpen),
    staleTime: isOpen ? 0 : everyMs,
    refetchInterval: everyMs,
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: false,
    retry: false,
  })
  const unread = list.data?.unread ?? Number(sessionStorage.getItem(countKey) ?? 0)
  useEffect(() => {
    if (list.data) sessionStorage.setItem(countKey, String(list.data.unread))
  }, [list.data])
  return {
    isOn,
    list,
    unread,
    markRead: async (): Promise<void> => {
      await api.post('/api/v1/notification/read')
      await queries.invalidateQueries({ queryKey })
    },
  }
}
