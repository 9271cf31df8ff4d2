import { toastError, useTranslate } from '@parquetry/ui'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from './api.ts'
import { messageOf } from './errors.ts'

export interface Favorites {
  has(id: number): boolean
  set(id: number, on: boolean): void
}

interface FavoriteTexts {
  /** Error message of the screen, in place of the default. */
  failed?: string
}

/** Favorites of the visible rows. A star changes immediately and is reverted when the server refuses (LIST-033, LIST-034). */
export function useFavorites(
  resource: 'chart' | 'dashboard',
  ids: readonly number[],
  { failed }: FavoriteTexts = {},
): Favorites {
  const t = useTranslate()
  const queries = useQueryClient()
  const key = [resource, 'favorites', ids]
  const status = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const { result } = await api.get(`/api/v1/${resource}/favorite_status/`, { q: [...ids], signal })
      return Object.fromEntries(result.map(({ id, value }) => [id, value]))
    },
    enabled: ids.length > 0,
  })
  const failure = status.error ? messageOf(status.error) : null
  useEffect(() => {
    if (failure !== null)
      toastError(
        t('lists.favorite.fetchFailed', 'There was an error fetching the favorite status: {message}', {
          message: failure,
        }),
      )
  }, [failure, t])

  const change = useMutation({
    mutationFn: ({ id, on }: { id: number; on: boolean }) => {
      const path = `/api/v1/${resource}/:id/favorites/` as const
      return on ? api.post(path, { params: { id } }) : api.del(path, { params: { id } })
    },
    onMutate: async ({ id, on }) => {
      await queries.cancelQueries({ queryKey: key })
      queries.setQueryData<Record<number, boolean>>(key, (before) => ({ ...before, [id]: on }))
    },
    onError: (error, { id, on }) => {
      queries.setQueryData<Record<number, boolean>>(key, (before) => ({ ...before, [id]: !on }))
      toastError(
        failed ??
          t('lists.favorite.saveFailed', 'There was an error saving the favorite status: {message}', {
            message: messageOf(error),
          }),
      )
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [resource, 'list'] }),
  })
  return {
    has: (id) => status.data?.[id] ?? false,
    set: (id, on) => change.mutate({ id, on }),
  }
}
