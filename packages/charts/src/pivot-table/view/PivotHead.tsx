import type { MouseEvent } from 'react'
import { cellId, type GridState } from '../../views/grid/use-grid.ts'
import type { MarkEvent } from '../../views/view.ts'
import { GroupToggle } from './pivot-cell-renderer.tsx'
import type { RenderedPivot } from '../render-pivot.ts'
import type { HeadingSpan } from '../lines.ts'
import type { PivotGroup } from '../pivot.ts'
import tableStyles from '../../views/table-grid.module.css'
import styles from '../pivot-table.module.css'

interface PivotHeadProps {
  grid: GridState
  drawn: RenderedPivot
  isClosed: (group: PivotGroup) => boolean
  isLevelClosed: (level: number) => boolean
  isMark: boolean
  toggle: (group: PivotGroup) => void
  toggleLevel: (level: number) => void
  /** @returns true if there is a mark, so that the browser shows no menu */
  onPoint: (row: number, column: number, kind: MarkEvent['kind'], event: MouseEvent) => boolean
}

/** The column headings, level by level, with the names of the levels in the corner. */
export function PivotHead(props: PivotHeadProps) {
  const { grid, drawn, isClosed, isLevelClosed, isMark, toggle, toggleLevel, onPoint } = props
  const { id, placed, seen, at, rowHeight, heads } = grid
  const { rows, columns } = drawn
  const levels = rows.spans.length
  const cornerWidth = placed.all[levels]?.start ?? placed.width
  const isAt = (head: number, from: number, end: number) =>
    at.row === head - heads && at.column >= from && at.column < end
  const pointed = (head: number, column: number) => ({
    onClick: (event: MouseEvent) => onPoint(head - heads, column, 'click', event),
    onContextMenu: (event: MouseEvent) => {
      if (onPoint(head - heads, column, 'menu', event)) event.preventDefault()
    },
  })

  const heading = (span: HeadingSpan, level: number) => {
    if (span.kind === 'rest') return null
    const [from, end] = [span.from + levels, span.end + levels]
    const last = placed.all[end - 1]!
    const { start } = placed.all[from]!
    const text = columns.labelOf(span)
    const opens = span.kind === 'group' && columns.canClose(level)
    const isWord = span.kind === 'word'
    // Below a total per metric are the names of the metrics.
    const lastHead = isWord ? (end - from > 1 ? heads - 2 : heads - 1) : level
    const isCursor = at.row >= level - heads && at.row <= lastHead - heads && at.column >= from && at.column < end
    const isInner = level === columns.spans.length - 1 || isWord
    const names = [
      styles.columnHeading,
      isInner && end - from === 1 && styles.inner,
      isWord && end - from === 1 && styles.word,
      isMark && span.group.level >= 0 && tableStyles.mark,
    ]
    return (
      <div
        key={span.from}
        id={cellId(id, isCursor ? at.row : level - heads, isCursor ? at.column : from)}
        role="columnheader"
        aria-colindex={from + 1}
        aria-colspan={end - from}
        aria-expanded={opens ? !isClosed(span.group) : undefined}
        data-cursor={isCursor || undefined}
        className={names.filter(Boolean).join(' ')}
        style={{ insetInlineStart: start, width: last.start + last.width - start, height: rowHeight }}
        title={columns.titleOf(span)}
        {...pointed(level, from)}
      >
        <span className={styles.headingText} style={{ insetInlineStart: placed.pinnedWidth + 8 }}>
          {opens && <GroupToggle isOpen={!isClosed(span.group)} onToggle={() => toggle(span.group)} />}
          <span>{text}</span>
        </span>
      </div>
    )
  }

  const corner = (head: number) => {
    if (head === heads - 1)
      return rows.spans.map((_, level) => (
        <div
          key={level}
          id={cellId(id, -1, level)}
          role="columnheader"
          aria-colindex={level + 1}
          aria-expanded={rows.canClose(level) ? !isLevelClosed(level) : undefined}
          data-cursor={isAt(head, level, level + 1) || undefined}
          className={styles.columnHeading}
          style={{ insetInlineStart: placed.all[level]!.start, width: placed.all[level]!.width }}
          title={rows.names[level]}
          {...pointed(head, level)}
        >
          {rows.canClose(level) && <GroupToggle isOpen={!isLevelClosed(level)} onToggle={() => toggleLevel(level)} />}
          <span>{rows.names[level]}</span>
          {level === levels - 1 && <span className={styles.levelName}>{columns.names[head]}</span>}
        </div>
      ))
    const isCursor = isAt(head, 0, levels)
    return (
      <div
        id={cellId(id, head - heads, isCursor ? at.column : 0)}
        role="columnheader"
        aria-colindex={1}
        aria-colspan={levels}
        data-cursor={isCursor || undefined}
        className={styles.columnHeading}
        style={{ insetInlineStart: 0, width: cornerWidth }}
        {...pointed(head, 0)}
      >
        <span className={styles.levelName}>{columns.names[head]}</span>
      </div>
    )
  }

  return (
    <div className={styles.head} role="rowgroup" style={{ width: placed.width, height: heads * rowHeight }}>
      {Array.from({ length: heads }, (_, head) => (
        <div key={head} className={styles.headRow} role="row" aria-rowindex={head + 1} style={{ height: rowHeight }}>
          <div
            className={placed.pinned > 0 ? styles.corner : styles.cornerMoving}
            role="presentation"
            style={{ width: cornerWidth }}
          >
            {corner(head)}
          </div>
          {columns.spans[head]!.filter(
            ({ from, end }) => from + levels < seen.end && end + levels > Math.min(seen.from, seen.end),
          ).map((span) => heading(span, head))}
        </div>
      ))}
    </div>
  )
}
