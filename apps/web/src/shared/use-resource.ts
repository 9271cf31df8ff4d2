import type { ListQuery } from '@parquetry/model'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

export type Resource = 'dashboard' | 'chart' | 'dataset' | 'database' | 'saved_query' | 'query'

export interface ListAnswer<Row> {
  count: number
  ids: number[]
  result: Row[]
}

/** Query of one page of a list; its key begins with the resource, so `invalidateQueries({ queryKey: ['chart'] })` renews all. */
export const listOptions = <Row>(resource: Resource, q: ListQuery) =>
  queryOptions({
    queryKey: [resource, 'list', q],
    queryFn: ({ signal }) => api.get<ListAnswer<Row>>(`/api/v1/${resource}/`, { q: { keys: ['none'], ...q }, signal }),
  })

/** One page of a list; the old page stays while the next one loads (`isPlaceholderData`). */
export const useList = <Row>(resource: Resource, q: ListQuery, enabled = true) =>
  useQuery({ ...listOptions<Row>(resource, q), placeholderData: keepPreviousData, enabled })
