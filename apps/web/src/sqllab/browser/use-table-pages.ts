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
export function useTablePages(schemaRef: SchemaRef | null, search: string, first: number, last: number): TablePages {
  const querySchema = schemaRef ?? { dbId: 0, catalog: null, schema: null }
  const isOn = schemaRef !== null && schemaRef.schema !== null
  const firstPage = useQuery({
    ...tablesPage(querySchema, search, 0),
    enabled: isOn,
    placeholderData: keepPreviousData,
  })
  const from = Math.max(1, Math.floor(first / tablePageSize))
  const to = Math.floor(last / tablePageSize)
  const pages = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
  const others = useQueries({
    queries: pages.map((page) => ({
      ...tablesPage(querySchema, search, page),
      enabled: isOn && !firstPage.isPlaceholderData,
    })),
  })
  return {
    count: isOn ? (firstPage.data?.count ?? null) : null,
    tableAt: (index) => {
      const page = Math.floor(index / tablePageSize)
      const { data } = (page === 0 ? firstPage : others[page - from]) ?? {}
      return data?.result[index % tablePageSize]
    },
    isStale: firstPage.isPlaceholderData,
    error: firstPage.error,
    retry: () => void firstPage.refetch(),
  }
}
