import { ButtonLink, EmptyState, useTranslate } from '@parquetry/ui'
import { boot } from '../shared/boot.ts'
import { DropZone } from '../shared/DropZone.tsx'
import { can, hasSqlLab, canReadAllData } from '../shared/rights.ts'
import { canUploadAny } from '../shared/upload.ts'
import styles from './home.module.css'

/** The user sees no objects yet, but examples are loading and the user may read all data. */
const canOpenExamples = boot.common.examples?.state === 'loading' && canReadAllData && can('can_read', 'Dashboard')

/** Replaces empty sections while the user can see no objects: upload a file first, with three secondary choices below. */
export function EmptyHome() {
  const t = useTranslate()
  const mayConnect = can('can_write', 'Database')
  const choices = (
    <>
      {mayConnect && (
        <ButtonLink variant="quiet" icon="plug" href="/databaseview/list/?show_database_modal=true">
          {t('app.create.database', 'Connect a database')}
        </ButtonLink>
      )}
      {canOpenExamples && (
        <ButtonLink variant="quiet" icon="dashboard" href="/dashboard/list/">
          {t('home.start.examples', 'View examples')}
        </ButtonLink>
      )}
      {hasSqlLab && (
        <ButtonLink variant="quiet" icon="sql" href="/superset/sqllab/">
          {t('home.start.sql', 'Write SQL')}
        </ButtonLink>
      )}
    </>
  )
  if (!canUploadAny)
    return (
      <EmptyState title={t('home.start.title', 'Start with your data')} actions={choices}>
        {mayConnect
          ? t(
              'home.start.text',
              'Connect a database and turn a table into a dataset. Parquetry suggests the first charts.',
            )
          : t('home.start.nothing', 'Nothing has been shared with you yet. Ask a dashboard owner for access.')}
      </EmptyState>
    )
  return (
    <section className={styles.start}>
      <h2>{t('home.start.title', 'Start with your data')}</h2>
      <DropZone size="big" />
      <div className={styles.choices}>{choices}</div>
    </section>
  )
}
