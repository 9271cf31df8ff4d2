import { genericOf, type Frame } from '@parquetry/frame'
import { Icon, useText } from '@parquetry/ui'
import { useState, type PointerEvent } from 'react'
import type { LayoutChange, PlacedColumns } from './column-layout.ts'
import { cellId } from './GridRow.tsx'
import type { Sorting } from './row-view.ts'
import styles from './DataGrid.module.css'

export interface GridHeadProps {
  grid: string
  frame: Frame
  placed: PlacedColumns
  from: number
  end: number
  numberWidth: number
  sorting: Sorting | null
  /** Columns with a filter. */
  filtered: ReadonlySet<number>
  /** The place of the cursor in the head, −1 when it is elsewhere. */
  at: number
  zone: string
  headingOf(name: string): string
  onSort(column: number): void
  onMenu(place: number, anchor: Element): void
  onLayout(change: LayoutChange): void
}

/** Dragging begins after so many px, so that a click with a shaking hand still sorts. */
const dragPx = 6

/** The head: a click sorts, the edge resizes, dragging moves a column to another place. */
export function GridHead(props: GridHeadProps) {
  const { grid, frame, placed, from, end, numberWidth, sorting, filtered, at, zone, headingOf } = props
  const { onSort, onMenu, onLayout } = props
  const t = useText()
  const [drop, setDrop] = useState<{ place: number; after: boolean } | null>(null)

  const resize = (index: number, width: number) => (event: PointerEvent<HTMLElement>) => {
    event.preventDefault()
    event.stopPropagation()
    const grip = event.currentTarget
    const sign = getComputedStyle(grip).direction === 'rtl' ? -1 : 1
    const begun = event.clientX
    grip.setPointerCapture(event.pointerId)
    grip.onpointermove = (move) =>
      onLayout({ type: 'resize', column: index, width: width + sign * (move.clientX - begun) })
    grip.onpointerup = () => (grip.onpointermove = null)
  }

  const drag = (index: number) => (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || event.pointerType === 'touch') return
    const button = event.currentTarget
    const begun = event.clientX
    let target: { place: number; after: boolean } | null = null
    button.onpointermove = (move) => {
      if (!button.hasPointerCapture(move.pointerId)) {
        if (Math.abs(move.clientX - begun) < dragPx) return
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
      // The click that ends a drag sorts nothing.
      button.addEventListener('click', (click) => click.stopPropagation(), { once: true, capture: true })
      const to = target && placed.all[target.place]
      if (target && to) onLayout({ type: 'move', column: index, to: to.index, after: target.after })
    }
  }

  const heading = (place: number) => {
    const { index, start, width } = placed.all[place]!
    const column = frame.columns[index]
    if (!column) return null
    const sorted = sorting?.column === index ? (sorting.descending ? 'descending' : 'ascending') : 'none'
    const isZoned = column.kind === 'time' && column.unit === 'zoned'
    const name = headingOf(column.name)
    const names = [
      styles.heading,
      at === place && styles.at,
      drop?.place === place && (drop.after ? styles.dropAfter : styles.dropBefore),
    ]
    return (
      <div
        key={index}
        id={cellId(grid, -1, place)}
        className={names.filter(Boolean).join(' ')}
        role="columnheader"
        aria-sort={sorted}
        aria-colindex={place + 2}
        data-heading={place}
        style={{ insetInlineStart: start, width }}
      >
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
          aria-label={t('shared.grid.menuOf', 'Actions on column {name}', { name })}
          aria-haspopup="menu"
          onClick={(event) => onMenu(place, event.currentTarget)}
        >
          <Icon name="chevron-down" size={12} />
        </button>
        <span className={styles.grip} aria-hidden onPointerDown={resize(index, width)} />
      </div>
    )
  }

  return (
    <div className={styles.head} role="rowgroup" style={{ width: placed.width }}>
      <div role="row" aria-rowindex={1}>
        <div className={styles.fixed} role="presentation" style={{ width: placed.pinnedWidth }}>
          <span
            className={styles.corner}
            role="columnheader"
            aria-colindex={1}
            aria-label={t('shared.grid.rowNumber', 'Row')}
            style={{ width: numberWidth }}
          />
          {placed.all.slice(0, placed.pinned).map((_, place) => heading(place))}
        </div>
        {placed.all.slice(from, end).map((_, index) => heading(from + index))}
      </div>
    </div>
  )
}
