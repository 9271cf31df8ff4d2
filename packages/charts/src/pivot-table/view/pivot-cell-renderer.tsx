import { Icon } from '@parquetry/ui'
import type { ChartTheme } from '../../resolve/theme.ts'
import type { CellRenderer } from '../../views/grid/index.ts'
import type { ClosedGroups, RenderedPivot, PivotSide } from '../render-pivot.ts'
import { groupKey, findSpan } from '../lines.ts'
import { isOutsideMark } from '../marks.ts'
import { rootGroup, type PivotGroup, type Pivot } from '../pivot.ts'
import tableStyles from '../../views/table-grid.module.css'
import styles from '../pivot-table.module.css'

interface CellOptions {
  pivot: Pivot
  drawn: RenderedPivot
  theme: ChartTheme
  /** Key of the mark that filters other charts. */
  selected: Record<string, unknown> | null
  isMark: boolean
  closed: ClosedGroups
  toggle: (side: PivotSide, group: PivotGroup) => void
}

/** Draws row headings and cells. `GroupLabels` draws the headings of several rows over them. */
export function createPivotCellRenderer({
  pivot,
  drawn,
  theme,
  selected,
  isMark,
  closed,
  toggle,
}: CellOptions): CellRenderer {
  const { rows, columns } = drawn
  const levels = rows.spans.length

  const heading = (level: number, row: number) => {
    const span = findSpan(rows.spans[level]!, row)!
    const line = rows.lines[row]!
    const text = rows.labelOf(span)
    const opens = span.kind === 'group' && rows.canClose(level)
    const isOpen = opens ? !closed.rows.has(groupKey(pivot.rows, span.group)) : undefined
    const names = [
      tableStyles.cell,
      styles.heading,
      styles[line.kind],
      (span.kind === 'word' || span.kind === 'metric') && styles.word,
      span.kind === 'word' && span.end - span.from === 1 && level < levels - 1 && styles.spread,
      row + 1 < span.end && styles.goesOn,
      isMark && span.group.level >= 0 && tableStyles.mark,
    ]
    return {
      className: names.filter(Boolean).join(' '),
      title: rows.titleOf(span) || undefined,
      isHeader: span.kind !== 'rest',
      isOpen,
      content:
        span.end - span.from > 1 ? (
          <span className="visually-hidden">{text}</span>
        ) : (
          <>
            {isOpen !== undefined && <GroupToggle isOpen={isOpen} onToggle={() => toggle('rows', span.group)} />}
            <span className={isOutsideMark(pivot, selected, span.group, rootGroup) ? tableStyles.faded : undefined}>
              {text}
            </span>
          </>
        ),
    }
  }

  return (index, row) => {
    if (index < levels) return heading(index, row)
    const line = rows.lines[row]!
    const column = columns.lines[index - levels]!
    const cell = drawn.cell(line, column)
    const text = drawn.textOf(cell)
    const tint = drawn.tint(line, column, cell, theme)
    const isTotal = line.kind === 'total' || column.kind === 'total'
    const isSubtotal = line.kind === 'subtotal' || column.kind === 'subtotal'
    const names = [
      tableStyles.cell,
      tableStyles.right,
      line.kind === 'total' && styles.total,
      isTotal ? styles.strong : isSubtotal && styles.medium,
      cell.value === null && tableStyles.null,
      isMark && line.level + column.level > -2 && tableStyles.mark,
      isOutsideMark(pivot, selected, line, column) && tableStyles.faded,
    ]
    return {
      className: names.filter(Boolean).join(' '),
      style: tint ? { background: tint } : undefined,
      title: cell.value === undefined || cell.value === null ? undefined : String(cell.value),
      content: <span>{text}</span>,
    }
  }
}

/** Expands and collapses a group by pointer; the keyboard does it on the heading. */
export function GroupToggle({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  return (
    <button
      type="button"
      className={styles.toggle}
      tabIndex={-1}
      aria-hidden="true"
      onClick={(event) => {
        event.stopPropagation()
        onToggle()
      }}
    >
      <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={12} />
    </button>
  )
}
