import { toastError, useTranslate } from '@parquetry/ui'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../shared/api.ts'
import { messageOf } from '../shared/errors.ts'
import { can } from '../shared/rights.ts'
import type { Resource } from '../shared/use-resource.ts'

const fiveMinutesMs = 300_000

/** Permissions of the user on a resource; until the server responds, those loaded with the page. */
export function useResourcePermissions(
  resource: Resource,
  view: string,
  noun: string,
): { may(permission: string): boolean } {
  const t = useTranslate()
  const info = useQuery({
    queryKey: [resource, 'info'],
    // The API has no permissions endpoint for queries.
    queryFn:
      resource === 'query'
        ? skipToken
        : ({ signal }) => api.get(`/api/v1/${resource}/_info`, { q: { keys: ['permissions'] }, signal }),
    staleTime: fiveMinutesMs,
  })
  const failure = info.error ? messageOf(info.error) : null
  useEffect(() => {
    if (failure !== null)
      toastError(
        t('lists.info.failed', 'An error occurred while fetching {noun} info: {message}', { noun, message: failure }),
      )
  }, [failure, noun, t])
  return { may: (permission) => info.data?.permissions?.includes(permission) ?? can(permission, view) }
}
