import type { DatasetProfile } from '@parquetry/model'
import { Delayed, Button, EmptyState, ErrorPanel, Skeleton, useTranslate } from '@parquetry/ui'
import { messageOf } from '../errors.ts'
import { formatDateTime, formatNumber } from '../formats.ts'
import type { DatasetDocument } from './document.ts'
import { ValueHistogram, formatDistinctCount, formatColumnValue } from './ProfileFigures.tsx'
import styles from './editor.module.css'

export interface OverviewTabProps {
  document: DatasetDocument
  profile: { data: DatasetProfile | undefined; error: Error | null; isFetching: boolean; refresh(): void }
  onOpen(key: string): void
}

const formatUtcTime = (utc: string): string => formatDateTime(new Date(`${utc}Z`))

/** Profile of the rows, column by column. */
export function OverviewTab({ document, profile: { data, error, isFetching, refresh }, onOpen }: OverviewTabProps) {
  const t = useTranslate()
  if (error && !data)
    return (
      <ErrorPanel inline title={t('dataset.profile.failed', 'Could not load the rows')} onRetry={refresh}>
        {messageOf(error)}
      </ErrorPanel>
    )
  if (!data)
    return (
      <Delayed>
        <div className={styles.skeleton} aria-busy="true" aria-label={t('dataset.profile.loading', 'Loading rows…')}>
          {Array.from({ length: 8 }, (_, index) => (
            <Skeleton key={index} height={32} />
          ))}
        </div>
      </Delayed>
    )
  if (data.columns.length === 0)
    return (
      <EmptyState title={t('dataset.columns.none', 'No columns yet')}>
        {t('dataset.columns.noneText', 'Use “Sync from source” on the Columns tab to add them.')}
      </EmptyState>
    )
  return (
    <div className={styles.tab}>
      <div className={styles.tools}>
        <p>
          {t('dataset.profile.rows', '{n, plural, one {# row} other {# rows}} as of {when}', {
            n: data.row_count,
            when: formatUtcTime(data.read_at),
          })}
        </p>
        <Button icon="refresh" busy={isFetching} onClick={refresh}>
          {t('dataset.profile.again', 'Refresh')}
        </Button>
      </div>
      <div
        className={styles.tableBox}
        tabIndex={0}
        role="region"
        aria-label={t('dataset.profile.table', 'Column profiles')}
      >
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('dataset.column.name', 'Name')}</th>
              <th scope="col">{t('dataset.column.type', 'Type')}</th>
              <th scope="col" data-number>
                {t('dataset.profile.nulls', 'Null')}
              </th>
              <th scope="col" data-number>
                {t('dataset.profile.distinct', 'Distinct')}
              </th>
              <th scope="col">{t('dataset.profile.range', 'Range')}</th>
              <th scope="col">{t('dataset.profile.spread', 'Distribution')}</th>
            </tr>
          </thead>
          <tbody>
            {document.columns.map((column) => {
              const profile = data.columns.find(({ column_name }) => column_name === column.column_name)
              const empty = profile?.nulls ?? null
              return (
                <tr key={column.key}>
                  <th scope="row">
                    <button type="button" className={styles.link} onClick={() => onOpen(column.key)}>
                      {column.verbose_name || column.column_name}
                    </button>
                    {column.verbose_name && <code>{column.column_name}</code>}
                  </th>
                  <td>
                    <code>{column.type}</code>
                  </td>
                  {profile?.error ? (
                    <td colSpan={4} className={styles.whose} title={profile.error}>
                      {profile.error}
                    </td>
                  ) : (
                    <>
                      <td data-number>
                        {empty === null
                          ? '–'
                          : formatNumber(data.row_count > 0 ? empty / data.row_count : 0, {
                              style: 'percent',
                              maximumFractionDigits: 1,
                            })}
                      </td>
                      <td data-number>{profile ? formatDistinctCount(profile) : '–'}</td>
                      <td className={styles.range}>
                        {profile && profile.min !== null
                          ? `${formatColumnValue(profile.min, column)} – ${formatColumnValue(profile.max, column)}`
                          : ''}
                      </td>
                      <td>{profile && <ValueHistogram profile={profile} column={column} />}</td>
                    </>
                  )}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </div>
  )
}
