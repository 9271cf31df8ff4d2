import type { DatasetUsage } from '@parquetry/model'
import { EmptyState, ErrorPanel, Link, Skeleton, StatusChip, useTranslate } from '@parquetry/ui'
import { messageOf } from '../errors.ts'
import styles from './editor.module.css'

/** Charts and dashboards that use the dataset, with the columns and metrics that each references. */
export function UsageTab({
  usage,
  error,
  onRetry,
}: {
  usage: DatasetUsage | undefined
  error: Error | null
  onRetry(): void
}) {
  const t = useTranslate()
  if (error && !usage)
    return (
      <ErrorPanel inline onRetry={onRetry}>
        {messageOf(error)}
      </ErrorPanel>
    )
  if (!usage) return <Skeleton height={96} />
  const { charts, dashboards, hidden } = usage
  if (charts.length + dashboards.length + hidden.charts === 0)
    return (
      <EmptyState title={t('dataset.usage.none', 'Nothing uses this dataset yet')}>
        {t('dataset.usage.noneText', 'Charts, filters and dashboards that use it will appear here.')}
      </EmptyState>
    )
  const names = (all: readonly string[]) => all.map((name) => <code key={name}>{name}</code>)
  return (
    <div className={styles.tab}>
      {hidden.charts > 0 && (
        <p className={styles.whose}>
          {t(
            'dataset.hiddenUsers',
            '{n, plural, one {# chart you don’t have access to} other {# charts you don’t have access to}}',
            {
              n: hidden.charts,
            },
          )}
        </p>
      )}
      <div
        className={styles.tableBox}
        tabIndex={0}
        role="region"
        aria-label={t('dataset.usage.table', 'Dataset usage')}
      >
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('dataset.column.name', 'Name')}</th>
              <th scope="col">{t('dataset.usage.kind', 'Type')}</th>
              <th scope="col">{t('dataset.usage.fields', 'Columns and metrics')}</th>
              <th scope="col">{t('dataset.usage.owners', 'Owners')}</th>
            </tr>
          </thead>
          <tbody>
            {charts.map((chart) => (
              <tr key={`c${chart.id}`}>
                <th scope="row">
                  <Link href={`/explore/?slice_id=${chart.id}`}>{chart.slice_name}</Link>
                </th>
                <td>
                  <StatusChip icon="chart">{t('dataset.usage.chart', 'Chart')}</StatusChip>
                </td>
                <td className={styles.names}>
                  {names([...new Set([...chart.metrics, ...chart.columns, ...chart.mentioned])])}
                </td>
                <td>{chart.owners.join(', ')}</td>
              </tr>
            ))}
            {dashboards.map((dashboard) => (
              <tr key={`d${dashboard.id}`}>
                <th scope="row">
                  <Link href={`/superset/dashboard/${dashboard.id}/`}>{dashboard.title ?? String(dashboard.id)}</Link>
                </th>
                <td>
                  <StatusChip icon="dashboard">{t('dataset.usage.dashboard', 'Dashboard')}</StatusChip>
                </td>
                <td className={styles.names}>
                  {dashboard.filters.length > 0
                    ? names([...new Set(dashboard.filters.flatMap((filter) => [...filter.columns, ...filter.metrics]))])
                    : t('dataset.usage.shows', '{n, plural, one {Shows # chart} other {Shows # charts}}', {
                        n: dashboard.charts.length,
                      })}
                </td>
                <td>–</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}
