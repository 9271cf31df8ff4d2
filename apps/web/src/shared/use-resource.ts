import type { SelectedColumns, ColumnOf, Contracts, ListQueryOf, ListRow } from '@parquetry/client'
import type { ListQuery } from '@parquetry/model'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

/** Resources whose columns can reference other objects. */
export type RelatedResource =
  | 'dashboard'
  | 'chart'
  | 'dataset'
  | 'database'
  | 'saved_query'
  | 'query'
  | 'annotation_layer'
  | 'css_template'
  | 'theme'
  | 'rowlevelsecurity'
  | 'tag'
  | 'report'

/** Resources of users and roles, which have no call to delete several objects. */
export type AccountResource = 'security/users' | 'security/groups' | 'security/roles' | 'security/user_registrations'

export type Resource = RelatedResource | AccountResource

export const isAccountResource = (resource: Resource): resource is AccountResource => resource.startsWith('security/')

/** A list item of a resource, with all available columns. */
export type ResourceRow<R extends Resource> = ListRow<Contracts[`GET /api/v1/${R}/`]>
/** The same with the requested columns only. */
export type RowOf<R extends Resource, Columns extends readonly string[]> = SelectedColumns<
  ResourceRow<R>,
  Columns[number]
>

export interface ListResult<Row> {
  count: number
  ids: number[]
  result: Row[]
}

/** Source of rows that belong to another object, such as the annotations of one layer. */
export interface RowSource<Row> {
  /** Distinguishes its rows from those of others in the query cache. */
  key: string | number
  read(q: ListQuery, signal: AbortSignal): Promise<ListResult<Row>>
}

/**
 * Query for one page of a list; its key begins with the resource, so `invalidateQueries({ queryKey: ['chart'] })` refreshes all.
 * The caller derives `Row` from the resource and its columns, see `RowOf`; `listOptions` does it when the call contains both.
 */
export const rowsOptions = <Row>(resource: Resource, q: ListQuery, source?: RowSource<Row>) =>
  queryOptions({
    queryKey: source ? [resource, 'list', q, source.key] : [resource, 'list', q],
    queryFn: async ({ signal }): Promise<ListResult<Row>> =>
      source?.read({ keys: ['none'], ...q }, signal) ??
      ((await api.get(`/api/v1/${resource}/`, {
        q: { keys: ['none'], ...(q as ListQueryOf<ResourceRow<Resource>>) },
        signal,
      })) as unknown as ListResult<Row>),
  })

export const listOptions = <R extends Resource, const Column extends ColumnOf<ResourceRow<R>>>(
  resource: R,
  q: ListQueryOf<ResourceRow<R>, Column>,
) => rowsOptions<SelectedColumns<ResourceRow<R>, Column>>(resource, q as ListQuery)

/** One page of rows; the old page stays while the next one loads (`isPlaceholderData`). */
export const useRows = <Row>(resource: Resource, q: ListQuery, enabled = true, source?: RowSource<Row>) =>
  useQuery({ ...rowsOptions<Row>(resource, q, source), placeholderData: keepPreviousData, enabled })

export const useList = <R extends Resource, const Column extends ColumnOf<ResourceRow<R>>>(
  resource: R,
  q: ListQueryOf<ResourceRow<R>, Column>,
  enabled = true,
) => useRows<SelectedColumns<ResourceRow<R>, Column>>(resource, q as ListQuery, enabled)
