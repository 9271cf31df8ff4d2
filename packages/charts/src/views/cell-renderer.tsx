import { cellAt, isNull, numberAt, textAt, type Cell, type Frame } from '@parquetry/frame'
import { renderHtml } from '@parquetry/ui'
import type { ChartTheme } from '../resolve/theme.ts'
import { findColumn } from '../shared/column.ts'
import { computeCellBar, resolveCellColors, readConditionValue } from '../table/cells.ts'
import type { TableColumn } from '../table/columns.ts'
import type { GridColumn } from './grid-columns.ts'
import type { CellRenderer } from './grid/index.ts'
import { linkedText } from './grid/linked-text.tsx'
import styles from './table-grid.module.css'

interface CellOptions {
  frame: Frame
  theme: ChartTheme
  /** Cells of these columns are marks. */
  isMark?: ((column: TableColumn) => boolean) | undefined
  isFaded?: ((column: TableColumn, row: number) => boolean) | undefined
  /** Renders texts that contain HTML as sanitized HTML. */
  hasHtml?: boolean | undefined
}

/** Draws cells with the formats, colors and bars of the chart. */
export const createCellRenderer =
  (columns: readonly GridColumn[], { frame, theme, isMark, isFaded, hasHtml }: CellOptions): CellRenderer =>
  (index, row) => {
    const { column, values, write } = columns[index]!
    // NaN and infinities have no cell, but a text.
    const value = values ? (cellAt(values, row) ?? textAt(values, row)) : null
    const bar = computeCellBar(column, values && column.bars ? numberAt(values, row) : null)
    const { ground, ink } = resolveCellColors(column, (name) => readConditionValue(findColumn(frame, name), row), theme)
    const names = [
      styles.cell,
      styles[column.align],
      (!values || isNull(values, row)) && styles.null,
      isMark?.(column) && styles.mark,
      isFaded?.(column, row) && styles.faded,
    ]
    return {
      className: names.filter(Boolean).join(' '),
      style: ground || ink ? { ...(ground && { background: ground }), ...(ink && { color: ink }) } : undefined,
      title: column.isNumeric && values ? (textAt(values, row) ?? undefined) : write(value),
      content: (
        <>
          {bar && (
            <i
              data-negative={bar.isNegative || undefined}
              style={{ left: `${bar.from * 100}%`, width: `${bar.size * 100}%` }}
            />
          )}
          <span>
            {hasHtml && isHtml(value)
              ? renderHtml(value, { newTab: true })
              : linkedText(write(value), typeof value === 'string' ? value : null)}
          </span>
        </>
      ),
    }
  }

const isHtml = (value: Cell): value is string => typeof value === 'string' && /<[a-z][^>]*>/i.test(value)
