import { ColumnResizeHandle, type HeadingContent, type PlacedColumns } from '@parquetry/charts/views/grid/index'
import { genericOf, type Frame } from '@parquetry/frame'
import { Icon, useTranslate } from '@parquetry/ui'
import { useState, type PointerEvent } from 'react'
import type { LayoutChange } from './column-layout.ts'
import type { Sorting } from './row-view.ts'
import styles from './DataGrid.module.css'

interface HeadingOptions {
  frame: Frame
  placed: PlacedColumns
  sorting: Sorting | null
  /** Columns with a filter. */
  filtered: ReadonlySet<number>
  zone: string
  headingOf(name: string): string
  onSort(column: number): void
  onMenu(position: number, anchor: Element): void
  onLayout(change: LayoutChange): void
}

/** Drag threshold in px, so that a shaky click still sorts. */
const dragPx = 6

/** Renders headings: a click sorts, the handle resizes, dragging moves a column. */
export function useHeadings(options: HeadingOptions): (index: number, position: number) => HeadingContent {
  const { frame, placed, sorting, filtered, zone, headingOf, onSort, onMenu, onLayout } = options
  const t = useTranslate()
  const [drop, setDrop] = useState<{ place: number; after: boolean } | null>(null)

  const drag = (index: number) => (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || event.pointerType === 'touch') return
    const button = event.currentTarget
    const startX = event.clientX
    let target: { place: number; after: boolean } | null = null
    button.onpointermove = (move) => {
      if (!button.hasPointerCapture(move.pointerId)) {
        if (Math.abs(move.clientX - startX) < dragPx) return
        button.setPointerCapture(move.pointerId)
      }
      const over = document.elementsFromPoint(move.clientX, move.clientY).find((one) => one.matches('[data-heading]'))
      if (!over) return
      const box = over.getBoundingClientRect()
      const isEnd = move.clientX > box.left + box.width / 2
      const after = getComputedStyle(over).direction === 'rtl' ? !isEnd : isEnd
      target = { place: Number((over as HTMLElement).dataset['heading']), after }
      setDrop(target)
    }
    button.onpointerup = (up) => {
      button.onpointermove = null
      button.onpointerup = null
      setDrop(null)
      if (!button.hasPointerCapture(up.pointerId)) return
      // The click that ends a drag must not sort.
      button.addEventListener('click', (click) => click.stopPropagation(), { once: true, capture: true })
      const to = target && placed.all[target.place]
      if (target && to) onLayout({ type: 'move', column: index, to: to.index, after: target.after })
    }
  }

  return (index, position) => {
    const column = frame.columns[index]
    if (!column) return { content: null, sorted: 'none' }
    const width = placed.all[position]?.width ?? 0
    const sorted = sorting?.column === index ? (sorting.descending ? 'descending' : 'ascending') : 'none'
    const isZoned = column.kind === 'time' && column.unit === 'zoned'
    const name = headingOf(column.name)
    const names = [styles.heading, drop?.place === position && (drop.after ? styles.dropAfter : styles.dropBefore)]
    return {
      sorted,
      className: names.filter(Boolean).join(' '),
      content: (
        <>
          <button
            type="button"
            tabIndex={-1}
            className={genericOf(column) === 0 ? `${styles.name} ${styles.endName}` : styles.name}
            title={[name, column.type, isZoned && zone].filter(Boolean).join(' · ')}
            onClick={() => onSort(index)}
            onPointerDown={drag(index)}
          >
            <span>{name}</span>
            {isZoned && <small>{zone}</small>}
            {filtered.has(index) && <Icon name="filter" size={12} />}
            {sorted !== 'none' && <Icon name={sorted === 'ascending' ? 'arrow-up' : 'arrow-down'} size={12} />}
          </button>
          <button
            type="button"
            tabIndex={-1}
            className={styles.more}
            aria-label={t('shared.grid.menuOf', 'Actions for column {name}', { name })}
            aria-haspopup="menu"
            onClick={(event) => onMenu(position, event.currentTarget)}
          >
            <Icon name="chevron-down" size={12} />
          </button>
          <ColumnResizeHandle
            className={styles.grip}
            width={width}
            onWidth={(to) => onLayout({ type: 'resize', column: index, width: to })}
          />
        </>
      ),
    }
  }
}
