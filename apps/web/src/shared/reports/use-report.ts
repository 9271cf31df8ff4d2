import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import type { CreationMethod, NamedTarget } from './report-draft.ts'
import { userId } from '../rights.ts'

/** A stored report for its form, which keeps what it was opened with; nothing for null. */
export const useReport = (id: number | null) =>
  useQuery({
    queryKey: ['report', 'item', id],
    queryFn: async ({ signal }) => (await api.get('/api/v1/report/:id', { params: { id: String(id) }, signal })).result,
    enabled: id !== null,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })

export const creationMethodOf = (kind: NamedTarget['kind']): CreationMethod =>
  kind === 'chart' ? 'charts' : 'dashboards'

/** REPORT-008: the user's own report that was created on the page of a chart or dashboard, by creation method and id. */
export const useReportOf = ({ kind, id }: Pick<NamedTarget, 'kind' | 'id'>, enabled: boolean) => {
  const method = creationMethodOf(kind)
  return useQuery({
    queryKey: ['report', 'of', method, id],
    queryFn: async ({ signal }) => {
      const { result } = await api.get('/api/v1/report/', {
        q: {
          columns: ['id', 'name', 'active'],
          filters: [
            { col: `${kind}_id`, opr: 'eq', value: id },
            { col: 'creation_method', opr: 'eq', value: method },
            { col: 'created_by', opr: 'rel_o_m', value: userId ?? -1 },
          ],
          page: 0,
          page_size: 1,
        },
        signal,
      })
      return result[0] ?? null
    },
    enabled,
    staleTime: 60_000,
    retry: false,
  })
}

/** The ways to deliver messages, with the settings that each one lacks. */
export const useChannels = () =>
  useQuery({
    queryKey: ['report', 'channels'],
    queryFn: async ({ signal }) => (await api.get('/api/v1/report/channels/', { signal })).result,
    staleTime: 60_000,
  })
