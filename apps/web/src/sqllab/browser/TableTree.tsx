import { EmptyState, ErrorPanel, MenuList, Skeleton, useTranslate, type MenuItem } from '@parquetry/ui'
import { useState, type DragEvent } from 'react'
import { messageOf } from '../../shared/errors.ts'
import { ColumnLabel, TableLabel } from './TreeLabels.tsx'
import { onTreeKey } from './tree-keys.ts'
import type { TreeRow } from './tree-rows.ts'
import type { SchemaRef } from './use-schema.ts'
import { useTableTree } from './use-table-tree.ts'
import styles from './browser.module.css'

export interface TableTreeProps {
  schemaRef: SchemaRef | null
  search: string
  /** Quotes a name for the database. */
  quote(name: string): string
  onInsert(text: string): void
  menuOf(table: string): MenuItem[]
}

/**
 * The tables of a schema with their columns, virtualized and paged, so that 20,000 of them scroll like twenty. Arrows move and
 * expand, Enter inserts the name, letters jump, Shift-F10 opens the menu. Names can be dragged into the text.
 */
export function TableTree({ schemaRef, search, quote, onInsert, menuOf }: TableTreeProps) {
  const t = useTranslate()
  const tree = useTableTree(schemaRef, search)
  const { pages, count, rowHeight, setScroller, atRow, idOf, isOpen, toggle, setAt, nameAt } = tree
  const [menu, setMenu] = useState<{ table: string; anchor: Element; byKey: boolean } | null>(null)

  if (pages.error && count === null)
    return (
      <ErrorPanel inline onRetry={pages.retry}>
        {messageOf(pages.error)}
      </ErrorPanel>
    )
  if (schemaRef === null || schemaRef.schema === null) return null
  if (count === 0)
    return (
      <EmptyState
        inline
        level={3}
        title={search ? t('sqllab.schema.nothing', 'No matches') : t('sqllab.schema.none', 'No tables in this schema')}
      />
    )

  const insert = (row: TreeRow): void => {
    const name = row.child < 0 ? nameAt(row) : tree.columnAt(row)?.name
    if (name !== undefined) onInsert(quote(name))
  }
  const openMenu = (row: TreeRow, anchor: Element | null, byKey: boolean): void => {
    const table = nameAt(row)
    if (table !== undefined && anchor) setMenu({ table, anchor, byKey })
  }

  const drag = (name: string) => (event: DragEvent) => {
    event.dataTransfer.setData('text/plain', quote(name))
    event.dataTransfer.effectAllowed = 'copy'
  }

  const draw = (row: number) => {
    const here = tree.rowAt(row)
    const table = pages.tableAt(here.table)
    const isAt = atRow === row
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
    const found = table && tree.detailsOf(table.value)
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
        aria-activedescendant={count === null ? undefined : idOf(atRow)}
        tabIndex={0}
        onKeyDown={(event) => onTreeKey(event, tree, { insert, openMenu })}
      >
        {count === null ? (
          <div className={styles.bones} role="presentation">
            {[70, 50, 80, 60, 40].map((width) => (
              <Skeleton key={width} width={`${width}%`} />
            ))}
          </div>
        ) : (
          <div role="presentation" style={{ height: tree.rows * rowHeight }}>
            {Array.from({ length: Math.max(0, tree.last - tree.first) }, (_, step) => draw(tree.first + step))}
          </div>
        )}
      </div>
      {menu && (
        <MenuList
          label={t('sqllab.schema.actions', 'Actions for {name}', { name: menu.table })}
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
