import type { OwnedKind } from '@parquetry/model'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import { formQueryOptions } from '../FormErrors.tsx'

const columns = [
  'id',
  'username',
  'first_name',
  'last_name',
  'email',
  'active',
  'roles.id',
  'roles.name',
  'groups.id',
  'groups.name',
  'attributes',
  'last_login',
  'login_count',
  'fail_login_count',
  'created_on',
  'changed_on',
  'has_password',
] as const

/** Loads a user by their id; null loads nothing. The form keeps what it was opened with. */
export const useUser = (id: number | null) =>
  useQuery({
    queryKey: ['security/users', 'item', id],
    queryFn: async ({ signal }) =>
      (
        await api.get('/api/v1/security/users/:id', {
          params: { id: String(id) },
          q: { columns: [...columns] },
          signal,
        })
      ).result,
    enabled: id !== null,
    ...formQueryOptions,
  })

export type User = NonNullable<ReturnType<typeof useUser>['data']>

/** What a user owns, by kind. */
export const useOwnedContent = (id: number) =>
  useQuery({
    queryKey: ['security/users', 'owned', id],
    queryFn: async ({ signal }) =>
      (await api.get('/api/v1/security/users/:id/owned', { params: { id }, signal })).result,
    gcTime: 0,
  })

export type OwnedContent = NonNullable<ReturnType<typeof useOwnedContent>['data']>[number]

/** Address of an object that a user owns; undefined where objects have no page. */
export const ownedHref = (kind: OwnedKind, id: number): string | undefined =>
  ({
    dashboard: `/superset/dashboard/${id}/`,
    chart: `/explore/?slice_id=${id}`,
    dataset: `/dataset/${id}`,
    saved_query: undefined,
    database: '/databaseview/list/',
    row_rule: `/rowlevelsecurity/list/?edit=${id}`,
    table: undefined,
    report: `/report/${id}/log/`,
  })[kind]
