import { textAt } from '@parquetry/frame'
import { Button, EmptyState, ErrorPanel, ProgressLine, useCopy, useText } from '@parquetry/ui'
import { useEffect, useState } from 'react'
import { DataGrid } from '../../shared/grid/DataGrid.tsx'
import { limits } from '../draft.ts'
import type { Asked, Run } from '../use-run.ts'
import styles from '../SqlLab.module.css'

export interface ResultPaneProps {
  run: Run
  onStop(): void
  onRerun(asked: Asked): void
  /** Shows the place of an error in the editor. */
  onShow(): void
  /** Wants a chart of what this SQL answers. */
  onCreateChart(sql: string): void
}

const highestLimit = Math.max(...limits.choices)

const seconds = (ms: number): string => (ms < 10_000 ? (ms / 1000).toFixed(2) : (ms / 1000).toFixed(0))

export function ResultPane({ run, onStop, onRerun, onShow, onCreateChart }: ResultPaneProps) {
  const t = useText()
  if (run.phase === 'idle')
    return (
      <EmptyState title={t('sqllab.result.none', 'No result yet')}>
        {t('sqllab.result.how', 'Write a query and run it with Ctrl-Enter; what it answers stands here.')}
      </EmptyState>
    )
  if (run.phase === 'stopped')
    return (
      <EmptyState
        title={t('sqllab.result.stopped', 'Query was stopped.')}
        actions={<Button onClick={() => onRerun(run.asked)}>{t('sqllab.result.again', 'Run again')}</Button>}
      />
    )
  if (run.phase === 'failed') {
    const { message, line, column } = run.error
    const place =
      line === null ? null : t('sqllab.result.place', 'Line {line}, column {column}', { line, column: column ?? 1 })
    return (
      <div className={styles.failed}>
        <ErrorPanel
          title={place ?? t('sqllab.result.failed', 'The query failed')}
          details={message}
          onRetry={() => onRerun(run.asked)}
          actions={line !== null && <Button onClick={onShow}>{t('sqllab.result.show', 'Show the place')}</Button>}
        >
          {t('sqllab.result.engine', 'The database says:')}
        </ErrorPanel>
      </div>
    )
  }
  if (run.phase === 'running') return <Running run={run} onStop={onStop} />
  return <Answer run={run} onRerun={onRerun} onCreateChart={onCreateChart} />
}

function Running({ run, onStop }: { run: Extract<Run, { phase: 'running' }>; onStop(): void }) {
  const t = useText()
  const [now, setNow] = useState(run.since)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [])
  return (
    <div className={styles.result} aria-busy>
      <ProgressLine label={t('sqllab.result.busy', 'The query runs')} />
      <div className={styles.bar}>
        <span>
          {t('sqllab.result.running', 'Running for {seconds} s', { seconds: ((now - run.since) / 1000).toFixed(1) })}
        </span>
        <Button icon="stop" onClick={onStop}>
          {t('sqllab.result.stop', 'Stop')}
        </Button>
      </div>
      <div className={styles.faded}>
        {run.before && <DataGrid frame={run.before} label={t('sqllab.result.before', 'Result before')} />}
      </div>
    </div>
  )
}

function Answer({
  run,
  onRerun,
  onCreateChart,
}: {
  run: Extract<Run, { phase: 'success' }>
  onRerun(asked: Asked): void
  onCreateChart(sql: string): void
}) {
  const t = useText()
  const { frame, answer, asked, ms } = run
  const { limit, limitingFactor } = answer.query
  const isCut = limitingFactor !== 'NOT_LIMITED' && limitingFactor !== 'UNKNOWN' && frame.rows >= (limit ?? Infinity)

  const copyText = useCopy()
  const copy = (): void => {
    const lines = Array.from({ length: frame.rows }, (_, row) =>
      frame.columns.map((column) => cellForPaste(textAt(column, row))).join('\t'),
    )
    copyText(
      [frame.columns.map(({ name }) => name).join('\t'), ...lines].join('\n'),
      t('sqllab.result.copied', '{rows, plural, one {# row} other {# rows}} copied', { rows: frame.rows }),
    )
  }

  return (
    <div className={styles.result}>
      <div className={styles.bar}>
        <span role="status">
          {t('sqllab.result.rows', '{rows, plural, one {# row} other {# rows}} in {seconds} s', {
            rows: frame.rows,
            seconds: seconds(ms),
          })}
          {isCut && ` · ${t('sqllab.result.cut', 'more may exist')}`}
        </span>
        {isCut && asked.queryLimit < highestLimit && (
          <Button
            variant="quiet"
            onClick={() => onRerun({ ...asked, queryLimit: Math.min(asked.queryLimit * 10, highestLimit) })}
          >
            {t('sqllab.result.raise', 'Raise limit')}
          </Button>
        )}
        <span className={styles.spring} />
        <Button icon="copy" onClick={copy}>
          {t('sqllab.result.copy', 'Copy')}
        </Button>
        <Button icon="chart" variant="primary" onClick={() => onCreateChart(asked.sql)}>
          {t('sqllab.result.chart', 'Create chart')}
        </Button>
      </div>
      {frame.columns.length === 0 ? (
        <EmptyState title={t('sqllab.result.empty', 'The query ran and gave no rows')} />
      ) : (
        <div className={styles.grid}>
          <DataGrid frame={frame} label={t('sqllab.result.label', 'Result')} />
        </div>
      )}
    </div>
  )
}

/** A cell with a tab or a line break would fall apart in a spreadsheet. */
const cellForPaste = (text: string | null): string =>
  text === null ? '' : /[\t\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
