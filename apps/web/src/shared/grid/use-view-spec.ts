import { useDeferredValue, useMemo, useState } from 'react'
import type { ColumnFilter, FilterOperator, Sorting, ViewSpec } from './row-view.ts'

/** Sorting, filters and search of the fetched rows, with their setters. */
export interface ViewSpecState {
  sorting: Sorting | null
  filters: readonly ColumnFilter[]
  /** Null: the field is closed. */
  search: string | null
  /** Lowercase and trimmed; lags behind typing while the search is slow. */
  needle: string
  spec: ViewSpec
  /** Without a direction, cycles through ascending, descending and unsorted. */
  sortBy(column: number, descending?: boolean): void
  addFilter(column: number, operator: FilterOperator, value: string): void
  setFilters(filters: readonly ColumnFilter[]): void
  setSearch(text: string | null): void
  openSearch(): void
  /** Shows all rows again; their order stays. */
  clearFilters(): void
  reset(): void
}

/** @param columns visible columns by their index in the frame; no others are searched */
export function useViewSpec(columns: readonly number[]): ViewSpecState {
  const [sorting, setSorting] = useState<Sorting | null>(null)
  const [filters, setFilters] = useState<readonly ColumnFilter[]>([])
  const [search, setSearch] = useState<string | null>(null)
  const needle = useDeferredValue(search ?? '')
  // Memoized by its JSON, so that a resized column does not sort again.
  const specJson = JSON.stringify({
    sorting,
    filters,
    search: needle,
    searched: needle.trim() === '' ? [] : [...columns],
  } satisfies ViewSpec)
  const spec = useMemo(() => JSON.parse(specJson) as ViewSpec, [specJson])
  const clearFilters = (): void => {
    setFilters([])
    setSearch(null)
  }
  return {
    sorting,
    filters,
    search,
    needle: needle.trim().toLowerCase(),
    spec,
    sortBy: (column, descending) =>
      setSorting((now) =>
        descending !== undefined
          ? { column, descending }
          : now?.column !== column
            ? { column, descending: false }
            : now.descending
              ? null
              : { column, descending: true },
      ),
    addFilter: (column, operator, value) =>
      setFilters((now) => [...now.filter((filter) => filter.column !== column), { column, operator, value }]),
    setFilters,
    setSearch,
    openSearch: () => setSearch((now) => now ?? ''),
    clearFilters,
    reset: () => {
      setSorting(null)
      clearFilters()
    },
  }
}
