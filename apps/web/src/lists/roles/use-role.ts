import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import { formatGrant, grantNames } from './grants.ts'
import type { PermissionPair } from './permission-texts.ts'

const resource = 'security/roles'

const columns = [
  'id',
  'name',
  'is_built_in',
  'fixed_by',
  'user_count',
  'group_count',
  'changed_on',
  'changed_on_delta_humanized',
] as const

/** Loads a role with its permissions, which are one state: `changed_on` is read first, so that a later change is noticed. */
export const useRole = (id: number) =>
  useQuery({
    queryKey: [resource, 'item', id],
    queryFn: async ({ signal }) => {
      const { result: role } = await api.get('/api/v1/security/roles/:id', {
        params: { id: String(id) },
        q: { columns: [...columns] },
        signal,
      })
      return { ...role, permissions: await readPermissions(id, signal) }
    },
    enabled: Number.isSafeInteger(id),
    // The draft is relative to this response; saving reads it again.
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })

export type Role = NonNullable<ReturnType<typeof useRole>['data']>

async function readPermissions(id: number, signal: AbortSignal): Promise<PermissionPair[]> {
  const { result } = await api.get('/api/v1/security/roles/:id/permissions/', { params: { id }, signal })
  return result.map((pair) => ({ id: pair.id, name: pair.permission_name, view: pair.view_menu_name }))
}

/** Permissions of another role to compare with; null loads nothing. */
export const useComparedRole = (id: number | null) =>
  useQuery({
    queryKey: [resource, 'compared', id],
    queryFn: async ({ signal }) => {
      const { result } = await api.get('/api/v1/security/roles/:id', {
        params: { id: String(id) },
        q: { columns: ['name'] },
        signal,
      })
      return { name: result.name, permissions: await readPermissions(id ?? 0, signal) }
    },
    enabled: id !== null,
    gcTime: 0,
  })

const pageSize = 1000

const toPair = ({
  id,
  permission,
  view_menu,
}: {
  id: number
  permission: { name: string }
  view_menu: { name: string }
}): PermissionPair => ({ id, name: permission.name, view: view_menu.name })

/** All feature permissions. */
export const useFeaturePermissions = () =>
  useQuery({
    queryKey: ['permissions', 'features'],
    queryFn: async ({ signal }) => {
      const { result } = await api.get('/api/v1/security/permissions-resources/', {
        q: {
          columns: ['id', 'permission.name', 'view_menu.name'],
          filters: [{ col: 'permission', opr: 'not_in', value: [...grantNames] }],
          page: 0,
          page_size: pageSize,
        },
        signal,
      })
      return result.map(toPair)
    },
    staleTime: 300_000,
  })

/** Loads permissions on databases, schemas or datasets whose name contains the typed text. */
export const loadGrants =
  (name: (typeof grantNames)[number]) => async (filter: string, page: number, signal: AbortSignal) => {
    const { count, result } = await api.get('/api/v1/security/permissions-resources/', {
      q: {
        columns: ['id', 'permission.name', 'view_menu.name'],
        filters: [
          { col: 'permission', opr: 'eq', value: name },
          ...(filter === '' ? [] : [{ col: 'view_menu', opr: 'ct', value: filter }]),
        ],
        order_column: 'view_menu.name',
        order_direction: 'asc',
        page,
        page_size: 100,
      },
      signal,
    })
    return { count, options: result.map(toPair).map((pair) => ({ value: pair.id, label: formatGrant(pair), pair })) }
  }

export const membersPerPage = 25

/** A page of the users and groups that hold a role. */
export const useMembers = (id: number, filter: string, page: number) =>
  useQuery({
    queryKey: [resource, 'members', id, filter, page],
    queryFn: ({ signal }) =>
      api.get('/api/v1/security/roles/:id/members/', {
        params: { id },
        q: { filter, page, page_size: membersPerPage },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

/** Name of a role; undefined until it is loaded. */
export const useRoleName = (id: number | null): string | undefined =>
  useQuery({
    queryKey: [resource, 'name', id],
    queryFn: async ({ signal }) =>
      (await api.get('/api/v1/security/roles/:id', { params: { id: String(id) }, q: { columns: ['name'] }, signal }))
        .result.name,
    enabled: id !== null,
    gcTime: 0,
  }).data
