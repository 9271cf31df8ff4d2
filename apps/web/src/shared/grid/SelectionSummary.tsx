import type { CellBlock } from '@parquetry/charts/views/grid/index'
import { useCopy, useTranslate } from '@parquetry/ui'
import { useEffect, useState } from 'react'
import { formatExactNumber } from './cell-text.ts'
import { summarizeCells, type CellSummary } from './summarize-cells.ts'
import styles from './DataGrid.module.css'

export interface SelectionSummaryProps {
  /** Keeps its identity while the selection stays. */
  cells: CellBlock
  /** BCP 47 tag. */
  locale: string
}

/** A selection that still grows is summed when it rests. */
const delayMs = 80

/** Count, sum, average and range of the selected cells; each copies its number with every digit. */
export function SelectionSummary({ cells, locale }: SelectionSummaryProps) {
  const t = useTranslate()
  const copy = useCopy()
  const [summary, setSummary] = useState<CellSummary | null>(null)
  useEffect(() => {
    const control = new AbortController()
    const timer = setTimeout(() => {
      summarizeCells(cells, control.signal).then(
        (found) => !control.signal.aborted && setSummary(found),
        () => undefined,
      )
    }, delayMs)
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [cells])
  if (!summary) return <div className={styles.summary} aria-busy />
  const figures: [name: string, value: string | null][] = [
    [t('shared.grid.summary.count', 'Count'), String(summary.filled)],
    [t('shared.grid.summary.sum', 'Sum'), summary.sum],
    [t('shared.grid.summary.average', 'Average'), summary.average],
    [t('shared.grid.summary.min', 'Min'), summary.min],
    [t('shared.grid.summary.max', 'Max'), summary.max],
  ]
  return (
    <div
      className={styles.summary}
      role="group"
      aria-label={t('shared.grid.summary', 'Selected cells')}
      aria-live="polite"
    >
      {figures.map(([name, value]) => {
        if (value === null) return null
        const shown = formatExactNumber(value, locale)
        return (
          <button
            key={name}
            type="button"
            title={t('shared.grid.summary.copy', 'Copy {name}', { name })}
            onClick={() => copy(value, t('shared.grid.summary.copied', '{name} copied', { name }))}
          >
            <span>{name}</span> {shown}
          </button>
        )
      })}
      {summary.numbers > 0 && summary.numbers < summary.filled && (
        <span>
          {t('shared.grid.summary.numbers', '{numbers, plural, one {# number} other {# numbers}}', {
            numbers: summary.numbers,
          })}
        </span>
      )}
    </div>
  )
}
