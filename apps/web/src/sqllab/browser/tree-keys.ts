import type { KeyboardEvent } from 'react'
import type { TreeRow } from './tree-rows.ts'
import type { TableTreeState } from './use-table-tree.ts'

interface KeyActs {
  insert(row: TreeRow): void
  openMenu(row: TreeRow, anchor: Element | null, byKey: boolean): void
}

/** Arrows move and expand, Enter inserts the name, letters jump, Shift-F10 and Alt-Down open the menu. */
export function onTreeKey(
  event: KeyboardEvent<HTMLElement>,
  tree: TableTreeState,
  { insert, openMenu }: KeyActs,
): void {
  const { at, atRow: row, go, goTo, toggle, isOpen, pages, rows, rowHeight, scroller } = tree
  const count = tree.count ?? 0
  if (event.ctrlKey || event.metaKey) return
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
    openMenu(at, document.getElementById(tree.idOf(row)), true)
  else if (event.altKey) return
  else if (to !== undefined) go(to)
  else if (event.key === forward) {
    if (isTable && !isOpen(at.table)) toggle(at.table, true)
    else if (isTable) go(row + 1)
  } else if (event.key === back) {
    if (!isTable) goTo({ table: at.table, child: -1 })
    else if (isOpen(at.table)) toggle(at.table, false)
  } else if (event.key === 'Enter') insert(at)
  else if (event.key === ' ') {
    if (isTable) toggle(at.table, !isOpen(at.table))
  } else if (event.key.length === 1) {
    const wanted = event.key.toLowerCase()
    for (let step = 1; step <= count; step += 1) {
      const table = (at.table + step) % count
      if (!pages.tableAt(table)?.value.toLowerCase().startsWith(wanted)) continue
      goTo({ table, child: -1 })
      break
    }
  } else return
  event.preventDefault()
  event.stopPropagation()
}
