import type { GridState } from '../../views/grid/use-grid.ts'
import { GroupToggle } from './pivot-cell-renderer.tsx'
import type { RenderedAxis } from '../render-pivot.ts'
import type { HeadingSpan } from '../lines.ts'
import type { PivotGroup } from '../pivot.ts'
import tableStyles from '../../views/table-grid.module.css'
import styles from '../pivot-table.module.css'

interface GroupLabelsProps {
  grid: GridState
  rows: RenderedAxis
  isFaded: (group: PivotGroup) => boolean
  toggle: (group: PivotGroup) => void
}

/** Headings over several rows: each stays visible while one of its rows is. Pointer events reach the cells below. */
export function GroupLabels({ grid, rows, isFaded, toggle }: GroupLabelsProps) {
  const { placed, seen, rowHeight, heads } = grid
  const { first, last, base, shift } = seen
  const width = placed.all[rows.spans.length]?.start ?? placed.width
  const label = (span: HeadingSpan, level: number) => {
    const { start, width: own } = placed.all[level]!
    return (
      <div
        key={`${level} ${span.from}`}
        className={styles.group}
        style={{
          insetInlineStart: start,
          width: own,
          top: (span.from - base) * rowHeight + shift,
          height: (span.end - span.from) * rowHeight,
        }}
      >
        <div
          className={
            span.kind === 'word'
              ? `${styles.label} ${styles.word} ${span.group.level < 0 ? styles.strong : styles.medium}`
              : styles.label
          }
          style={{ top: heads * rowHeight }}
        >
          {span.kind === 'group' && rows.canClose(level) && <GroupToggle isOpen onToggle={() => toggle(span.group)} />}
          <span className={isFaded(span.group) ? tableStyles.faded : undefined}>{rows.labelOf(span)}</span>
        </div>
      </div>
    )
  }
  return (
    <div className={placed.pinned > 0 ? styles.labels : styles.labelsMoving} aria-hidden="true" style={{ width }}>
      {rows.spans.flatMap((spans, level) =>
        spans.filter(({ from, end }) => end - from > 1 && from < last && end > first).map((span) => label(span, level)),
      )}
    </div>
  )
}
