import type { ListQuery } from '@parquetry/model'
import type { RawSearch } from '../shared/page.ts'
import type { ApiFilter, ListDefinition, ListRow } from './definition.ts'

/** LIST-010 */
export const defaultPageSize = 25
const pageSizes = [25, 50, 100]
/** LIST-011 */
const defaultSort = { column: 'changed_on_delta_humanized', direction: 'desc' } as const

/** List state in the address, with the parameter names of the API's legacy pages. */
export interface ListState {
  text: string
  page: number
  pageSize: number
  sort: { column: string; direction: 'asc' | 'desc' }
  cards: boolean | undefined
  /** Values of the filters by name. */
  filters: Record<string, string>
}

type ListConfig = Pick<ListDefinition<ListRow>, 'filters' | 'defaultSort' | 'search' | 'fields' | 'always'>

const parseInteger = (text: string | undefined, min: number): number => {
  const number = Number(text)
  return Number.isInteger(number) && number >= min ? number : min
}

/** Parses the address; invalid values get their defaults. */
export function readListState(raw: RawSearch, { filters, defaultSort: own }: ListConfig): ListState {
  const pageSize = Number(raw.pageSize)
  const { column, direction } = own ?? defaultSort
  return {
    text: raw.q ?? '',
    page: parseInteger(raw.pageIndex, 0),
    pageSize: pageSizes.includes(pageSize) ? pageSize : defaultPageSize,
    sort: {
      column: raw.sortColumn ?? column,
      direction: raw.sortOrder === 'asc' || raw.sortOrder === 'desc' ? raw.sortOrder : direction,
    },
    cards: raw.viewMode === 'card' ? true : raw.viewMode === 'table' ? false : undefined,
    filters: Object.fromEntries(filters.flatMap(({ name }) => (raw[name] ? [[name, raw[name]]] : []))),
  }
}

/** Query for the API, which searches, sorts, paginates and filters. */
export function buildListQuery(state: ListState, { filters, search, fields, always = [] }: ListConfig): ListQuery {
  const apiFilters: ApiFilter[] = [...always]
  const text = state.text.trim()
  if (text) apiFilters.push(search(text))
  for (const filter of filters) {
    const value = state.filters[filter.name]
    if (value !== undefined) apiFilters.push(...filter.toApi(value))
  }
  return {
    columns: [...fields],
    filters: apiFilters,
    order_column: state.sort.column,
    order_direction: state.sort.direction,
    page: state.page,
    page_size: state.pageSize,
  }
}

export const isFiltered = ({ text, filters }: ListState): boolean =>
  text.trim() !== '' || Object.keys(filters).length > 0
