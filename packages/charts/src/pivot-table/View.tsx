import type { Frame } from '@parquetry/frame'
import { useTranslate } from '@parquetry/ui'
import { useMemo, useState } from 'react'
import { GridSurface, placeColumns, selectionAt, useCopyCells, useGrid, type MenuAnchor } from '../views/grid/index.ts'
import { useSize } from '../views/use-size.ts'
import type { MarkEvent, ViewProps } from '../views/view.ts'
import { cellsToCopy } from './cells-to-copy.ts'
import { createPivotCellRenderer } from './view/pivot-cell-renderer.tsx'
import { renderPivot, computePivotWidths, type ClosedGroups, type PivotSide } from './render-pivot.ts'
import { GroupLabels } from './view/GroupLabels.tsx'
import { groupKey, findSpan, type HeadingSpan } from './lines.ts'
import { isOutsideMark, buildPivotMark } from './marks.ts'
import { rootGroup, type PivotGroup } from './pivot.ts'
import { PivotHead } from './view/PivotHead.tsx'
import type { PivotSpec } from './spec.ts'
import { usePivot, type ReadyPivot } from './view/use-pivot.ts'
import tableStyles from '../views/table-grid.module.css'
import styles from './pivot-table.module.css'

const none: Frame = { rows: 0, columns: [] }
const rowHeight = 28
const allOpen: ClosedGroups = { rows: new Set(), columns: new Set() }

export default function PivotTableView({ frames, spec, ...props }: ViewProps) {
  const atHand = usePivot(frames.cells ?? none, spec as PivotSpec)
  return atHand ? <PivotGrid {...props} {...atHand} /> : <div className={styles.pivot} aria-busy="true" />
}

type PivotGridProps = Pick<ViewProps, 'form' | 'around' | 'label' | 'onMark'> & ReadyPivot

/** The table as a grid: row headings are its first columns, column headings its first rows. Groups can be collapsed. */
function PivotGrid({ pivot, frame, spec, form, around, label, onMark }: PivotGridProps) {
  const t = useTranslate()
  const copyCells = useCopyCells()
  const { locale, theme, selected = null } = around
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const [isAtEnd, setAtEnd] = useState(false)
  const [closed, setClosed] = useState<ClosedGroups>(allOpen)
  const room = useSize(scroller, around).width
  const drawn = useMemo(() => renderPivot(pivot, frame, spec, locale, closed), [pivot, frame, spec, locale, closed])
  const widths = useMemo(() => computePivotWidths(drawn, room), [drawn, room])
  const levels = widths.rows.length
  const placed = useMemo(() => {
    const all = [...widths.rows, ...widths.columns].map((width, index) => ({ index, width }))
    const head = widths.rows.reduce((sum, width) => sum + width, 0)
    return placeColumns(all, head <= room * 0.75 ? widths.rows.length : 0, 0)
  }, [widths, room])
  const { rows, columns } = drawn
  const heads = columns.spans.length
  const grid = useGrid({ scroller, setScroller, rows: rows.lines.length, placed, rowHeight, heads, room: around })

  const toggle = (side: PivotSide, group: PivotGroup): void =>
    setClosed((now) => {
      const own = new Set(now[side])
      const name = groupKey(pivot[side], group)
      if (!own.delete(name)) own.add(name)
      return { ...now, [side]: own }
    })
  const toggleLevel = (side: PivotSide, level: number): void =>
    setClosed((now) => {
      const { code } = pivot[side].axis.levels[level]!
      const names = Array.from(code, (_, index) => groupKey(pivot[side], { level, at: index }))
      const areClosed = names.every((name) => now[side].has(name))
      const own = new Set(now[side])
      for (const name of names) {
        if (areClosed) own.delete(name)
        else own.add(name)
      }
      return { ...now, [side]: own }
    })
  const isClosed = (side: PivotSide, group: PivotGroup): boolean => closed[side].has(groupKey(pivot[side], group))
  const draw = useMemo(
    () => createPivotCellRenderer({ pivot, drawn, theme, selected, isMark: onMark !== undefined, closed, toggle }),
    // `toggle` only changes with these dependencies.
    // oxlint-disable-next-line react/exhaustive-deps
    [pivot, drawn, theme, selected, onMark === undefined, closed],
  )

  /** Selects the heading or cell at a position as a mark. @returns false if it is not a mark */
  const choose = (row: number, column: number, kind: MarkEvent['kind'], anchor: MenuAnchor): boolean => {
    const found = groupsAt(row, column)
    const mark = found && onMark && buildPivotMark(pivot, found, form)
    if (!mark) return false
    const { x, y } = anchor instanceof Element ? below(anchor) : anchor
    onMark?.(mark, { kind, x, y })
    return true
  }
  const headSpan = (row: number, column: number): HeadingSpan | undefined =>
    findSpan(columns.spans[heads + row] ?? [], column - levels)
  const groupsAt = (row: number, column: number) => {
    if (row < 0) {
      const span = column < levels ? undefined : headSpan(row, column)
      return span && { row: rootGroup, column: span.group, label: '' }
    }
    const line = rows.lines[row]
    if (!line) return null
    const own = column < levels ? findSpan(rows.spans[column]!, row) : undefined
    if (own) return { row: own.group, column: rootGroup, label: '' }
    const across = columns.lines[column - levels]
    if (!across) return null
    const cell = drawn.cell(line, across)
    const name = spec.metrics[pivot.metrics[cell.metric]!]?.name ?? ''
    return { row: line, column: across, cell, label: name }
  }
  /** @returns true if there is a group to expand or collapse */
  const toggleAt = (row: number, column: number): boolean => {
    if (row < 0 && column < levels) {
      if (row !== -1 || !rows.canClose(column)) return false
      toggleLevel('rows', column)
      return true
    }
    const side: PivotSide = row < 0 ? 'columns' : 'rows'
    const span = row < 0 ? headSpan(row, column) : column < levels ? findSpan(rows.spans[column]!, row) : undefined
    if (span?.kind !== 'group' || !drawn[side].canClose(span.group.level)) return false
    toggle(side, span.group)
    return true
  }

  return (
    <div className={styles.pivot}>
      <div className={tableStyles.frame} data-more={(placed.width - room > 1 && !isAtEnd) || undefined}>
        <GridSurface
          grid={grid}
          label={t(
            'charts.pivot.label',
            '{label}: {rows, plural, one {# row} other {# rows}}, {columns, plural, one {# column} other {# columns}}',
            { label, rows: rows.lines.length, columns: columns.lines.length },
          )}
          className={tableStyles.grid}
          sourceOf={(row) => row}
          draw={draw}
          head={
            <PivotHead
              grid={grid}
              drawn={drawn}
              isClosed={(group) => isClosed('columns', group)}
              isLevelClosed={(level) =>
                Array.from(pivot.rows.axis.levels[level]?.code ?? [], (_, index) => ({ level, at: index })).every(
                  (group) => isClosed('rows', group),
                )
              }
              isMark={onMark !== undefined}
              toggle={(group) => toggle('columns', group)}
              toggleLevel={(level) => toggleLevel('rows', level)}
              onPoint={(row, column, kind, event) => {
                grid.setSelection(selectionAt({ row, column }))
                return choose(row, column, kind, { x: event.clientX, y: event.clientY })
              }}
            />
          }
          over={
            <GroupLabels
              grid={grid}
              rows={rows}
              isFaded={(group) => isOutsideMark(pivot, selected, group, rootGroup)}
              toggle={(group) => toggle('rows', group)}
            />
          }
          ownKey={(key, event) => {
            const { row, column } = grid.at
            if (key === ' ' && !event.ctrlKey && !event.metaKey && !event.shiftKey) return toggleAt(row, column)
            const span = row < 0 && column >= levels && !event.shiftKey ? headSpan(row, column) : undefined
            if (!span || (key !== 'ArrowLeft' && key !== 'ArrowRight') || event.ctrlKey || event.metaKey) return false
            const to = key === 'ArrowRight' ? levels + span.end : levels + span.from - 1
            grid.select(selectionAt({ row, column: Math.min(to, placed.all.length - 1) }))
            return true
          }}
          onCopy={() => {
            if (grid.selected) void copyCells(cellsToCopy(drawn, grid.selected), isWhole(grid.selection.whole))
          }}
          onEnter={({ row, column }, element) => {
            if (!(element && choose(row, column, 'click', element))) toggleAt(row, column)
          }}
          onMenu={({ row, column }, anchor) => choose(row, column, 'menu', anchor)}
          onClick={({ row, column }, { clientX, clientY }) => choose(row, column, 'click', { x: clientX, y: clientY })}
          onScroll={({ scrollLeft }) => setAtEnd(placed.width - room - Math.abs(scrollLeft) <= 1)}
        />
      </div>
      {spec.notes.length > 0 && <p className={styles.notes}>{spec.notes.join(' ')}</p>}
    </div>
  )
}

const isWhole = (whole: string): boolean => whole === 'columns' || whole === 'all'

const below = (element: Element): { x: number; y: number } => {
  const { left, bottom } = element.getBoundingClientRect()
  return { x: left, y: bottom }
}
