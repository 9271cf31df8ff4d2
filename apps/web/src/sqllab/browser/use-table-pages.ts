import type { ListedTable } from '@parquetry/model'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { tablePageSize, tablesPage, type SchemaRef } from './use-schema.ts'

export interface TablePages {
  /** Total number of matches; null until the first page loads. */
  count: number | null
  /** Undefined while its page loads. */
  tableAt(index: number): ListedTable | undefined
  isStale: boolean
  error: Error | null
  retry(): void
}

/** Fetches the tables of a schema by page: the first one, and those for the indexes `first` to `last`. */
export function useTablePages(place: SchemaRef | null, search: string, first: number, last: number): TablePages {
  const asked = place ?? { dbId: 0, catalog: null, schema: null }
  const isOn = place !== null && place.schema !== null
  const begin = useQuery({ ...tablesPage(asked, search, 0), enabled: isOn, placeholderData: keepPreviousData })
  const from = Math.max(1, Math.floor(first / tablePageSize))
  const to = Math.floor(last / tablePageSize)
  const pages = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
  const others = useQueries({
    queries: pages.map((page) => ({ ...tablesPage(asked, search, page), enabled: isOn && !begin.isPlaceholderData })),
  })
  return {
    count: isOn ? (begin.data?.count ?? null) : null,
    tableAt: (index) => {
      const page = Math.floor(index / tablePageSize)
      const { data } = (page === 0 ? begin : others[page - from]) ?? {}
      return data?.result[index % tablePageSize]
    },
    isStale: begin.isPlaceholderData,
    error: begin.error,
    retry: () => void begin.refetch(),
  }
}
