import { parseSubjectId } from '@parquetry/model/subject'
import type { IconName, LoadOptions } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'
import type { RelatedResource } from './use-resource.ts'

const pageSize = 100

/** Objects that a column may reference; ids are text because the address contains them. */
export const loadRelated =
  (resource: RelatedResource, column: string): LoadOptions<string> =>
  async (filter, page, signal) => {
    const q = { filter, page, page_size: pageSize }
    const { count, result } = await api.get(`/api/v1/${resource}/related/:column`, { params: { column }, q, signal })
    return { count, options: result.map(({ value, text }) => ({ value: String(value), label: text })) }
  }

/** Users, roles and groups to choose as owners or viewers; ids are those of subjects, as text. */
export const loadSubjects =
  (resource: 'chart' | 'dashboard' | 'dataset', column: 'editors' | 'viewers'): LoadOptions<string> =>
  async (filter, page, signal) => {
    const q = { filter, page, page_size: pageSize }
    const { count, result } = await api.get(`/api/v1/${resource}/related/:column`, { params: { column }, q, signal })
    return {
      count,
      options: result.map(({ value, text }) => ({
        value: String(value),
        label: text,
        icon: iconOfSubject(Number(value)),
      })),
    }
  }

/** Icon of a user, role or group. @param id  of the subject */
export const iconOfSubject = (id: number): IconName => parseSubjectId(id)?.type ?? 'user'

const withoutDistinct = ['rowlevelsecurity', 'tag', 'theme', 'report'] as const
type DistinctResource = Exclude<RelatedResource, (typeof withoutDistinct)[number]>

/** Returns whether the resource has columns whose values are offered. */
export const hasDistinct = (resource: RelatedResource): resource is DistinctResource =>
  !withoutDistinct.some((each) => each === resource)

/** Values of a column; the server counts null but omits it. */
export const loadDistinct =
  (resource: DistinctResource, column: string): LoadOptions<string> =>
  async (filter, page, signal) => {
    const q = { filter, page, page_size: pageSize }
    const { count, result } = await api.get(`/api/v1/${resource}/distinct/:column`, { params: { column }, q, signal })
    return { count, options: result.map(({ value, text }) => ({ value: String(value), label: text })) }
  }

/** Returns the name of a selected object after the page was loaded with its id in the address. */
export function useRelatedName(resource: RelatedResource, column: string, id: string | null): string | undefined {
  const { data } = useQuery({
    queryKey: [resource, 'related', column, id],
    queryFn: ({ signal }) =>
      api.get(`/api/v1/${resource}/related/:column`, {
        params: { column },
        q: { include_ids: [Number(id)], page: 0, page_size: 1 },
        signal,
      }),
    enabled: id !== null,
    staleTime: Infinity,
  })
  return data?.result.find(({ value }) => String(value) === id)?.text
}
