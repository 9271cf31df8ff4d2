import { ApiError } from '@parquetry/client'
import { buildQueryContext, joinFrames, type AnyChart, type ChartForm } from '@parquetry/charts'
import type { Frame } from '@parquetry/frame'
import { Button, ButtonLink, EmptyState, ErrorPanel, Skeleton, Tabs, useCopy, useTranslate } from '@parquetry/ui'
import { useDeferredValue, useMemo, type ReactNode } from 'react'
import { messageOf } from '../shared/errors.ts'
import { QueryTimeRange } from '../shared/QueryTimeRange.tsx'
import { hasSqlLab } from '../shared/rights.ts'
import { DataGrid } from '../shared/grid/DataGrid.tsx'
import { createHeadingFormatter } from './headings.ts'
import { useQueryText, useSamples } from './use-underlying-data.ts'
import styles from './Explore.module.css'

export type ResultsPaneTab = 'results' | 'samples' | 'query' | 'first'

export interface ResultsPaneProps {
  chart: AnyChart
  form: ChartForm
  frames: Record<string, Frame> | undefined
  verbose: Record<string, string>
  /** Number formats of the dataset's metrics. */
  formats: Record<string, string | null>
  /** Database of the dataset, for the SQL editor. */
  database: number
  /** The query is running. */
  isLoading: boolean
  /** Chart and form have the same type. */
  isShown: boolean
  part: ResultsPaneTab
  onPart(part: ResultsPaneTab): void
  /** Suggested charts for the dataset, while the chart is unsaved. */
  first?: ReactNode
}

/** Data behind the chart: its rows, samples of the dataset, and the SQL. */
export function ResultsPane({
  chart,
  form,
  frames,
  verbose,
  formats,
  database,
  isLoading,
  isShown,
  part,
  onPart,
  first: firstPictures,
}: ResultsPaneProps) {
  const t = useTranslate()
  const copy = useCopy()
  const context = buildQueryContext(chart, form)
  const text = useQueryText(isShown && part === 'query' ? context : null)
  const samples = useSamples(isShown && part === 'samples' ? context : null)
  const [first] = Object.values(frames ?? {})
  const answer = useMemo(
    () => (chart.series.length > 0 && frames && first ? joinFrames(frames) : first),
    [chart, frames, first],
  )
  // The chart is painted before its rows are rendered.
  const frame = useDeferredValue(answer)
  const timesOf = typeof form.datasource === 'string' ? form.datasource : undefined
  const headingOf = createHeadingFormatter(context.queries, verbose, t)

  return (
    <section className={styles.results} aria-label={t('explore.results.label', 'Chart data')}>
      <Tabs<ResultsPaneTab>
        value={part}
        onChange={onPart}
        label={t('explore.results.label', 'Chart data')}
        tabs={[
          { value: 'results', label: t('explore.results.results', 'Results') },
          { value: 'samples', label: t('explore.results.samples', 'Samples') },
          { value: 'query', label: t('explore.results.query', 'Query') },
          ...(firstPictures ? [{ value: 'first' as const, label: t('explore.first.label', 'Suggestions') }] : []),
        ]}
      />
      <div className={styles.resultsBody}>
        {part === 'first' && firstPictures}
        {part === 'results' &&
          (frame === undefined ? (
            (isLoading || answer !== undefined) && <Skeleton height={120} />
          ) : frame.rows > 0 ? (
            <DataGrid
              frame={frame}
              label={t('explore.results.results', 'Results')}
              headingOf={headingOf}
              formats={formats}
              originalTimesKey={timesOf}
            />
          ) : (
            <EmptyState inline level={3} title={t('explore.results.none', 'No rows match these filters')} />
          ))}
        {part === 'samples' &&
          (samples.isError ? (
            <ErrorPanel inline onRetry={() => void samples.refetch()}>
              {samples.error instanceof ApiError
                ? messageOf(samples.error)
                : t('explore.results.samplesFailed', 'Sorry, an error occurred')}
            </ErrorPanel>
          ) : samples.data ? (
            <DataGrid
              frame={samples.data}
              label={t('explore.results.samples', 'Samples')}
              headingOf={(name) => verbose[name] || name}
              originalTimesKey={timesOf}
            />
          ) : (
            <Skeleton height={120} />
          ))}
        {part === 'query' &&
          (text.isError ? (
            <ErrorPanel inline onRetry={() => void text.refetch()}>
              {messageOf(text.error)}
            </ErrorPanel>
          ) : (
            <div className={styles.query}>
              <div className={styles.queryActions}>
                <Button
                  icon="copy"
                  onClick={() => copy(text.data?.text ?? '', t('explore.results.copied', 'SQL copied'))}
                >
                  {t('explore.results.copy', 'Copy')}
                </Button>
                {hasSqlLab && text.data?.text && (
                  <ButtonLink
                    icon="sql"
                    href={`/superset/sqllab/?dbid=${database}&sql=${encodeURIComponent(text.data.text)}`}
                  >
                    {t('explore.results.sqllab', 'Open in SQL Lab')}
                  </ButtonLink>
                )}
              </div>
              <QueryTimeRange {...text.data?.range} />
              <pre tabIndex={0}>{text.data?.text}</pre>
            </div>
          ))}
      </div>
    </section>
  )
}
