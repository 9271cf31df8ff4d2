import { useTranslate } from '@parquetry/ui'
import type { MouseEventHandler, ReactNode } from 'react'
import { cellId, type GridState } from './use-grid.ts'
import styles from './grid.module.css'

/** Content and look of a heading; the grid determines its position. */
export interface HeadingContent {
  content: ReactNode
  sorted: 'ascending' | 'descending' | 'none'
  className?: string | undefined
  title?: string | undefined
  onClick?: MouseEventHandler | undefined
}

interface GridHeadProps {
  grid: GridState
  numberWidth: number
  className: string | undefined
  /** @param index of the column, @param place its displayed position */
  heading(index: number, place: number): HeadingContent
}

/** The visible headings above the rows. */
export function GridHead({ grid, numberWidth, className, heading }: GridHeadProps) {
  const t = useTranslate()
  const { id, placed, seen, at } = grid
  const cell = (place: number) => {
    const { index, start, width } = placed.all[place]!
    const { content, sorted, ...rest } = heading(index, place)
    return (
      <div
        key={index}
        {...rest}
        id={cellId(id, -1, place)}
        role="columnheader"
        aria-sort={sorted}
        aria-colindex={place + (numberWidth > 0 ? 2 : 1)}
        data-heading={place}
        data-cursor={(at.row < 0 && at.column === place) || undefined}
        style={{ position: 'absolute', insetInlineStart: start, width }}
      >
        {content}
      </div>
    )
  }
  return (
    <div className={[styles.head, className].filter(Boolean).join(' ')} role="rowgroup" style={{ width: placed.width }}>
      <div role="row" aria-rowindex={1}>
        {placed.pinnedWidth > 0 && (
          <div className={styles.fixed} role="presentation" style={{ width: placed.pinnedWidth }}>
            {numberWidth > 0 && (
              <span className={styles.number} role="columnheader" aria-colindex={1} style={{ width: numberWidth }}>
                <span className="visually-hidden">{t('charts.grid.rowNumber', 'Row')}</span>
              </span>
            )}
            {placed.all.slice(0, placed.pinned).map((_, place) => cell(place))}
          </div>
        )}
        {placed.all.slice(seen.from, seen.end).map((_, index) => cell(seen.from + index))}
      </div>
    </div>
  )
}
