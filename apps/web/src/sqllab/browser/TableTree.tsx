import { EmptyState, ErrorPanel, MenuList, Skeleton, useText, useTreeRowHeight, type MenuItem } from '@parquetry/ui'
import { useQueries } from '@tanstack/react-query'
import { useId, useState, type DragEvent, type KeyboardEvent } from 'react'
import { messageOf } from '../../shared/errors.ts'
import { useWindow } from '../../shared/use-window.ts'
import type { TableColumn } from '../state.ts'
import { ColumnLabel, TableLabel } from './TreeLabels.tsx'
import { rowAt, rowCount, rowOf, type OpenTable, type TreeRow } from './tree-rows.ts'
import { usePages } from './use-pages.ts'
import { tableDetails, type SchemaPlace } from './use-schema.ts'
import styles from './browser.module.css'

export interface TableTreeProps {
  place: SchemaPlace | null
  search: string
  /** A name as the database reads it. */
  quote(name: string): string
  onInsert(text: string): void
  menuOf(table: string): MenuItem[]
}

const overscan = 8

/**
 * The tables of a schema with their columns, virtual and by pages, so that 20,000 of them scroll like twenty. Arrows move and open,
 * Enter inserts the name, letters jump, Shift-F10 opens the menu. Names can be dragged into the text.
 */
export function TableTree({ place, search, quote, onInsert, menuOf }: TableTreeProps) {
  const t = useText()
  const id = useId()
  const rowHeight = useTreeRowHeight()
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  /** Open tables: where they stood when they were opened. */
  const [opened, setOpened] = useState<ReadonlyMap<string, number>>(new Map())
  const [at, setAt] = useState<TreeRow>({ table: 0, child: -1 })
  const [menu, setMenu] = useState<{ table: string; anchor: Element; byKey: boolean } | null>(null)
  const [shownSearch, setShownSearch] = useState(search)
  if (shownSearch !== search) {
    // Places are others in another list.
    setShownSearch(search)
    setOpened(new Map())
    setAt({ table: 0, child: -1 })
  }

  const openNames = [...opened].toSorted(([, a], [, b]) => a - b)
  const details = useQueries({
    queries: openNames.map(([name]) => ({
      ...tableDetails(place ?? { dbId: 0, catalog: null, schema: null }, name),
      enabled: place !== null,
    })),
  })
  const columnsOf = new Map(openNames.map(([name], index) => [name, details[index]] as const))
  const open = openNames.map(([name, index]): OpenTable => {
    const found = columnsOf.get(name)
    return { index, rows: found?.data?.columns.length || 1 }
  })

  const seen = useWindow(scroller, false)
  const first = Math.max(0, Math.floor(seen.top / rowHeight) - overscan)
  const end = Math.ceil((seen.top + seen.height) / rowHeight) + overscan
  const pages = usePages(place, search, rowAt(first, open).table, rowAt(end, open).table)
  const { count } = pages
  const rows = rowCount(count ?? 0, open)
  const last = Math.min(rows, end)

  if (pages.error && count === null)
    return (
      <ErrorPanel inline onRetry={pages.retry}>
        {messageOf(pages.error)}
      </ErrorPanel>
    )
  if (place === null || place.schema === null) return null
  if (count === 0)
    return (
      <EmptyState
        inline
        level={3}
        title={search ? t('sqllab.schema.nothing', 'Nothing matches') : t('sqllab.schema.none', 'No tables here')}
      />
    )

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
  const insert = (row: TreeRow): void => {
    const name = row.child < 0 ? nameAt(row) : columnAt(row)?.name
    if (name !== undefined) onInsert(quote(name))
  }
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
  const openMenu = (row: TreeRow, anchor: Element | null, byKey: boolean): void => {
    const table = nameAt(row)
    if (table !== undefined && anchor) setMenu({ table, anchor, byKey })
  }

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.ctrlKey || event.metaKey) return
    const row = rowOf(at, open)
    const page = Math.max(1, Math.floor((scroller?.clientHeight ?? 0) / rowHeight) - 1)
    const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    const [forward, back] = isRtl ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']
    const to = {
      ArrowDown: row + 1,
      ArrowUp: row - 1,
      PageDown: row + page,
      PageUp: row - page,
      Home: 0,
      End: rows - 1,
    }[event.key]
    const isTable = at.child < 0
    if ((event.key === 'F10' && event.shiftKey) || event.key === 'ContextMenu' || (event.altKey && to === row + 1))
      openMenu(at, document.getElementById(idOf(row)), true)
    else if (event.altKey) return
    else if (to !== undefined) go(to)
    else if (event.key === forward) {
      if (isTable && !isOpen(at.table)) toggle(at.table, true)
      else if (isTable) go(row + 1)
    } else if (event.key === back) {
      if (!isTable) go(rowOf({ table: at.table, child: -1 }, open))
      else if (isOpen(at.table)) toggle(at.table, false)
    } else if (event.key === 'Enter') insert(at)
    else if (event.key === ' ') {
      if (isTable) toggle(at.table, !isOpen(at.table))
    } else if (event.key.length === 1) {
      const wanted = event.key.toLowerCase()
      for (let step = 1; step <= (count ?? 0); step += 1) {
        const table = (at.table + step) % (count ?? 1)
        if (!pages.tableAt(table)?.value.toLowerCase().startsWith(wanted)) continue
        go(rowOf({ table, child: -1 }, open))
        break
      }
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  const drag = (name: string) => (event: DragEvent) => {
    event.dataTransfer.setData('text/plain', quote(name))
    event.dataTransfer.effectAllowed = 'copy'
  }

  const draw = (row: number) => {
    const here = rowAt(row, open)
    const table = pages.tableAt(here.table)
    const isAt = rowOf(at, open) === row
    const common = {
      id: idOf(row),
      role: 'treeitem',
      'aria-selected': isAt,
      style: { transform: `translateY(${row * rowHeight}px)`, height: rowHeight },
    } as const
    const className = [styles.node, isAt && styles.at].filter(Boolean).join(' ')
    if (here.child < 0)
      return (
        <div
          key={row}
          {...common}
          className={className}
          aria-level={1}
          aria-posinset={here.table + 1}
          aria-setsize={count ?? -1}
          aria-expanded={isOpen(here.table)}
          aria-busy={table === undefined || undefined}
          draggable={table !== undefined}
          onDragStart={table && drag(table.value)}
          onClick={() => {
            setAt(here)
            toggle(here.table, !isOpen(here.table))
          }}
          onDoubleClick={() => insert(here)}
          onContextMenu={(event) => {
            event.preventDefault()
            setAt(here)
            openMenu(here, event.currentTarget, false)
          }}
        >
          <TableLabel
            table={table}
            isOpen={isOpen(here.table)}
            onMenu={(anchor, byKey) => {
              setAt(here)
              openMenu(here, anchor, byKey)
            }}
          />
        </div>
      )
    const found = table && columnsOf.get(table.value)
    const column = found?.data?.columns[here.child]
    return (
      <div
        key={row}
        {...common}
        className={`${className} ${styles.child}`}
        aria-level={2}
        aria-posinset={here.child + 1}
        aria-setsize={found?.data?.columns.length ?? 1}
        draggable={column !== undefined}
        onDragStart={column && drag(column.name)}
        onClick={() => setAt(here)}
        onDoubleClick={() => insert(here)}
      >
        <ColumnLabel column={column} error={found?.error} />
      </div>
    )
  }

  return (
    <div className={styles.treeBox}>
      <div
        ref={setScroller}
        role="tree"
        className={`${styles.tree} ${pages.isStale ? styles.stale : ''}`}
        aria-label={t('sqllab.schema.label', 'Tables')}
        aria-busy={count === null || pages.isStale || undefined}
        aria-activedescendant={count === null ? undefined : idOf(rowOf(at, open))}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        {count === null ? (
          <div className={styles.bones} role="presentation">
            {[70, 50, 80, 60, 40].map((width) => (
              <Skeleton key={width} width={`${width}%`} />
            ))}
          </div>
        ) : (
          <div role="presentation" style={{ height: rows * rowHeight }}>
            {Array.from({ length: Math.max(0, last - first) }, (_, step) => draw(first + step))}
          </div>
        )}
      </div>
      {menu && (
        <MenuList
          label={t('sqllab.schema.actions', 'Actions on {name}', { name: menu.table })}
          items={menuOf(menu.table)}
          anchor={() => menu.anchor}
          placement="bottom-start"
          focusFirst={menu.byKey}
          onClose={() => setMenu(null)}
        />
      )}
    </div>
  )
}
