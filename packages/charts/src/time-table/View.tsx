import { useTranslate } from '@parquetry/ui'
import { useMemo, useState, type ReactNode } from 'react'
import { formatter } from '../shared/formats/format.ts'
import { TableBar } from '../views/TableBar.tsx'
import type { ViewProps } from '../views/view.ts'
import type { TimeTableRow, TimeTableSpec } from './chart.ts'
import { toneTextColor } from './tone-color.ts'
import { SparklineView } from './SparklineView.tsx'
import styles from './time-table.module.css'

const pageSize = 100

interface Sorting {
  /** −1 for the names of the rows. */
  column: number
  isDescending: boolean
}

/** One row per metric or dimension value. Headings sort; a page has a hundred rows. */
export default function TimeTableView({ spec: given, around, label }: ViewProps) {
  const t = useTranslate()
  const { heading, columns, rows, last } = given as TimeTableSpec
  const { locale, theme } = around
  const [sorting, setSorting] = useState<Sorting | null>(null)
  const [page, setPage] = useState(0)
  const sorted = useMemo(() => sortedRows(rows, sorting, locale), [rows, sorting, locale])
  const pages = Math.max(1, Math.ceil(rows.length / pageSize))
  const at = Math.min(page, pages - 1)
  const head = (column: number, words: string, tooltip: string | undefined, isRight: boolean): ReactNode => {
    const isSorted = sorting?.column === column
    return (
      <th
        key={column}
        scope="col"
        className={isRight ? styles.right : undefined}
        aria-sort={isSorted ? (sorting.isDescending ? 'descending' : 'ascending') : 'none'}
      >
        <button type="button" title={tooltip} onClick={() => setSorting(nextSorting(sorting, column))}>
          {words}
          {isSorted && <span aria-hidden="true">{sorting.isDescending ? ' ↓' : ' ↑'}</span>}
        </button>
      </th>
    )
  }
  return (
    <div className={styles.chart}>
      {pages > 1 && (
        <TableBar
          hasSearch={false}
          search=""
          onSearch={() => undefined}
          page={at}
          pageSize={pageSize}
          count={rows.length}
          onPage={setPage}
        />
      )}
      {/* Wide tables scroll and must be reachable by keyboard. */}
      <div className={styles.scroller} role="region" aria-label={label} tabIndex={0}>
        <table>
          <caption className="visually-hidden">{label}</caption>
          <thead>
            <tr>
              {head(-1, heading, undefined, false)}
              {columns.map(({ label, tooltip, spark }, index) => head(index, label, tooltip, spark === null))}
            </tr>
          </thead>
          <tbody>
            {sorted.slice(at * pageSize, (at + 1) * pageSize).map((row) => (
              <tr key={row.name}>
                <th scope="row" title={row.name}>
                  {row.href === null ? (
                    row.name
                  ) : (
                    <a href={row.href} target="_blank" rel="noreferrer">
                      {row.name}
                    </a>
                  )}
                </th>
                {row.cells.map((cell, index) => {
                  const spark = columns[index]?.spark
                  return 'points' in cell ? (
                    <td key={index} className={styles.spark}>
                      {spark && <SparklineView cell={cell} spark={spark} around={around} />}
                    </td>
                  ) : (
                    <td
                      key={index}
                      className={styles.right}
                      data-null={cell.value === null || undefined}
                      style={cell.value === null ? undefined : { color: toneTextColor(cell.tone, theme) }}
                      title={cell.reason || String(cell.value ?? '')}
                    >
                      {formatter(cell.format, locale)(cell.value)}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
        {columns.length === 0 && (
          <p className={styles.note}>
            {t('charts.timeTable.noColumns', 'No time series columns yet. Edit the chart to add one.')}
          </p>
        )}
      </div>
      {last && <p className={styles.note}>{last}</p>}
    </div>
  )
}

/**
 * Values sort descending first, because users look for the largest, then ascending, then in the original order. Names sort
 * ascending first.
 */
const nextSorting = (now: Sorting | null, column: number): Sorting | null => {
  const first = column >= 0
  if (now?.column !== column) return { column, isDescending: first }
  return now.isDescending === first ? { column, isDescending: !first } : null
}

/** Sorts by a column's values, sparklines by their last point; nulls are last in both directions. */
function sortedRows(rows: readonly TimeTableRow[], sorting: Sorting | null, locale: string): readonly TimeTableRow[] {
  if (!sorting) return rows
  const sign = sorting.isDescending ? -1 : 1
  if (sorting.column < 0) {
    const { compare } = new Intl.Collator(locale, { numeric: true })
    return rows.toSorted((one, other) => sign * compare(one.name, other.name))
  }
  const valueOf = ({ cells }: TimeTableRow): number | null => {
    const cell = cells[sorting.column]
    return !cell ? null : 'points' in cell ? (cell.points.at(-1) ?? null) : cell.value
  }
  return rows.toSorted((one, other) => {
    const [left, right] = [valueOf(one), valueOf(other)]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return sign * (left - right)
  })
}
