import { useTreeRowHeight, useScrollViewport } from '@parquetry/ui'
import { useQueries } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { TableColumn } from '../state.ts'
import { rowAt, rowCount, findRowIndex, type OpenTable, type TreeRow } from './tree-rows.ts'
import { useTablePages } from './use-table-pages.ts'
import { tableDetails, type SchemaRef } from './use-schema.ts'

const overscan = 8

export type TableTreeState = ReturnType<typeof useTableTree>

/** State of the table tree: expanded tables, visible rows, cursor. */
export function useTableTree(schemaRef: SchemaRef | null, search: string) {
  const id = useId()
  const rowHeight = useTreeRowHeight()
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  /** Expanded tables, with their index at that time. */
  const [opened, setOpened] = useState<ReadonlyMap<string, number>>(new Map())
  const [at, setAt] = useState<TreeRow>({ table: 0, child: -1 })
  const [shownSearch, setShownSearch] = useState(search)
  if (shownSearch !== search) {
    // Indexes change with the list.
    setShownSearch(search)
    setOpened(new Map())
    setAt({ table: 0, child: -1 })
  }

  const openNames = [...opened].toSorted(([, a], [, b]) => a - b)
  const details = useQueries({
    queries: openNames.map(([name]) => ({
      ...tableDetails(schemaRef ?? { dbId: 0, catalog: null, schema: null }, name),
      enabled: schemaRef !== null,
    })),
  })
  const columnsOf = new Map(openNames.map(([name], index) => [name, details[index]] as const))
  const open = openNames.map(([name, index]): OpenTable => {
    const found = columnsOf.get(name)
    return { index, rows: found?.data?.columns.length || 1 }
  })

  const seen = useScrollViewport(scroller, false)
  const first = Math.max(0, Math.floor(seen.top / rowHeight) - overscan)
  const end = Math.ceil((seen.top + seen.height) / rowHeight) + overscan
  const pages = useTablePages(schemaRef, search, rowAt(first, open).table, rowAt(end, open).table)
  const { count } = pages
  const rows = rowCount(count ?? 0, open)
  const last = Math.min(rows, end)

  const nameAt = (row: TreeRow): string | undefined => pages.tableAt(row.table)?.value
  const columnAt = (row: TreeRow): TableColumn | undefined => {
    const name = nameAt(row)
    return name === undefined || row.child < 0 ? undefined : columnsOf.get(name)?.data?.columns[row.child]
  }
  const toggle = (table: number, on: boolean): void => {
    const name = pages.tableAt(table)?.value
    if (name === undefined) return
    setOpened((now) => {
      const next = new Map(now)
      if (on) next.set(name, table)
      else next.delete(name)
      return next
    })
    if (!on) setAt({ table, child: -1 })
  }
  const isOpen = (table: number): boolean => opened.has(pages.tableAt(table)?.value ?? '')
  const go = (row: number): void => {
    const inside = Math.max(0, Math.min(rows - 1, row))
    setAt(rowAt(inside, open))
    if (!scroller) return
    const top = inside * rowHeight
    if (top < scroller.scrollTop) scroller.scrollTo({ top })
    else if (top + rowHeight > scroller.scrollTop + scroller.clientHeight)
      scroller.scrollTo({ top: top + rowHeight - scroller.clientHeight })
  }
  const idOf = (row: number): string => `${id}-${row}`
  return {
    scroller,
    setScroller,
    rowHeight,
    pages,
    /** Null until known. */
    count,
    /** Number of tree rows, and the range of rendered ones, end exclusive. */
    rows,
    first,
    last,
    at,
    atRow: findRowIndex(at, open),
    setAt,
    go,
    /** Moves to a row by its table and column. */
    goTo: (row: TreeRow): void => go(findRowIndex(row, open)),
    rowAt: (row: number): TreeRow => rowAt(row, open),
    idOf,
    nameAt,
    columnAt,
    /** Columns of a table, if loaded. */
    detailsOf: (table: string) => columnsOf.get(table),
    isOpen,
    toggle,
  }
}
