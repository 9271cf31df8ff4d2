import { formatter } from '@parquetry/charts'
import type { Column, Frame } from '@parquetry/frame'
import { ErrorPanel, IconButton, Select, Skeleton, useTranslate } from '@parquetry/ui'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { boot } from '../boot.ts'
import { formatNumber } from '../formats.ts'
import { maxMainThreadMs, type GridWorkerClient } from './grid-worker-client.ts'
import { estimateStatisticsMs, computeStatistics, type Bin, type Statistics } from './statistics.ts'
import styles from './DataGrid.module.css'

export interface StatisticsPanelProps {
  frame: Frame
  /** Index in the frame. */
  column: number
  work(): GridWorkerClient
  headingOf(name: string): string
  onColumn(column: number): void
  onClose(): void
}

type StatisticsResult = { frame: Frame; column: number } & ({ statistics: Statistics } | { error: string })

/** Statistics of a column over all fetched rows: missing and distinct values, range, and most frequent values. */
export function StatisticsPanel({ frame, column: index, work, headingOf, onColumn, onClose }: StatisticsPanelProps) {
  const t = useTranslate()
  const [found, setFound] = useState<StatisticsResult | null>(null)
  const fetchStatistics = useEffectEvent(() => work().statistics(index))

  const column = frame.columns[index]
  const isSlow = estimateStatisticsMs(frame.rows) > maxMainThreadMs
  const here = useMemo(
    () => (column && !isSlow ? { statistics: computeStatistics(column, frame.rows) } : null),
    [column, frame, isSlow],
  )

  useEffect(() => {
    if (!isSlow) return
    let isWanted = true
    fetchStatistics().then(
      (statistics) => isWanted && setFound({ frame, column: index, statistics }),
      (error: unknown) => isWanted && setFound({ frame, column: index, error: String(error) }),
    )
    return () => {
      isWanted = false
    }
  }, [frame, index, isSlow])

  const answer = here ?? (found?.frame === frame && found.column === index ? found : null)
  return (
    <aside className={styles.statistics} aria-label={t('shared.grid.statistics', 'Column statistics')}>
      <header>
        <Select
          aria-label={t('shared.grid.statistics.column', 'Column')}
          value={String(index)}
          options={frame.columns.map(({ name }, value) => ({ value: String(value), label: headingOf(name) }))}
          onChange={(value) => value !== null && onColumn(Number(value))}
        />
        <IconButton icon="close" label={t('shared.grid.statistics.close', 'Close statistics')} onClick={onClose} />
      </header>
      {!answer || !column ? (
        <Skeleton height={160} />
      ) : 'error' in answer ? (
        <ErrorPanel inline>{answer.error}</ErrorPanel>
      ) : (
        <Facts column={column} statistics={answer.statistics} />
      )}
    </aside>
  )
}

const writeAll = formatter('ALL_DIGITS', boot.common.locale.replace('_', '-'))
const rounded = (value: number): string => formatNumber(value, { maximumSignificantDigits: 8 })

function Facts({ column, statistics }: { column: Column; statistics: Statistics }) {
  const t = useTranslate()
  const { rows, nulls, empty, distinct, mean, sum, bins, top } = statistics
  const isNoisy = column.kind === 'number' && column.data instanceof Float64Array
  const shown = (text: string): string =>
    column.kind === 'time' ? text.replace('T', ' ') : isNoisy ? writeAll(Number(text)) : text
  const min = statistics.min && shown(statistics.min)
  const max = statistics.max && shown(statistics.max)
  const share = (count: number): string =>
    rows > 0 && count > 0 ? ` (${formatNumber(count / rows, { style: 'percent', maximumFractionDigits: 1 })})` : ''
  const entries: [string, string | null][] = [
    [t('shared.grid.statistics.rows', 'Rows'), formatNumber(rows)],
    [t('shared.grid.statistics.nulls', 'Null'), `${formatNumber(nulls)}${share(nulls)}`],
    [
      t('shared.grid.statistics.empty', 'Empty strings'),
      empty === null ? null : `${formatNumber(empty)}${share(empty)}`,
    ],
    [t('shared.grid.statistics.distinct', 'Distinct'), formatNumber(distinct)],
    [t('shared.grid.statistics.min', 'Minimum'), min],
    [t('shared.grid.statistics.max', 'Maximum'), max],
    [t('shared.grid.statistics.mean', 'Mean'), mean === null ? null : rounded(mean)],
    [t('shared.grid.statistics.sum', 'Sum'), sum === null ? null : rounded(sum)],
  ]
  const maxCount = top[0]?.count ?? 0
  return (
    <>
      <dl className={styles.facts}>
        {entries.map(
          ([name, value]) =>
            value !== null && (
              <div key={name}>
                <dt>{name}</dt>
                <dd title={value}>{value}</dd>
              </div>
            ),
        )}
      </dl>
      {bins && (
        <>
          <h3>{t('shared.grid.statistics.spread', 'Distribution')}</h3>
          <Histogram bins={bins} label={column.name} />
          <p className={styles.range}>
            <span>{min}</span>
            <span>{max}</span>
          </p>
        </>
      )}
      {top.length > 0 && (
        <>
          <h3>{t('shared.grid.statistics.top', 'Most frequent')}</h3>
          <ol className={styles.top}>
            {top.map(({ value, count }) => (
              <li key={value} style={{ '--share': `${(count / maxCount) * 100}%` } as React.CSSProperties}>
                <span title={value}>{value === '' ? t('shared.grid.emptyText', '(empty string)') : shown(value)}</span>
                <span>{formatNumber(count)}</span>
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  )
}

function Histogram({ bins, label }: { bins: readonly Bin[]; label: string }) {
  const t = useTranslate()
  const most = Math.max(...bins.map(({ count }) => count))
  return (
    <svg
      className={styles.histogram}
      viewBox={`0 0 ${bins.length * 10} 60`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('shared.grid.statistics.histogram', 'Histogram of {name}: up to {most, number} rows per bin', {
        name: label,
        most,
      })}
    >
      {bins.map(({ count, from }, index) => {
        const height = most > 0 ? (count / most) * 58 : 0
        return (
          <rect key={from} x={index * 10 + 1} y={60 - height} width={8} height={Math.max(height, count > 0 ? 1 : 0)} />
        )
      })}
    </svg>
  )
}
