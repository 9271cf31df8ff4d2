import { ButtonLink, EmptyState, ErrorPanel, useTranslate } from '@parquetry/ui'
import { messageOf } from '../shared/errors.ts'
import { FileButton } from '../shared/FileButton.tsx'
import { canUploadAny } from '../shared/upload.ts'
import styles from './SqlLab.module.css'

/** SQL Lab without a database, or when the databases could not be loaded. */
export function NoDatabase({ error, onRetry }: { error: Error | null; onRetry(): void }) {
  const t = useTranslate()
  return (
    <div className={styles.page}>
      <h1 className="visually-hidden">{t('sqllab.title', 'SQL Lab')}</h1>
      {error ? (
        <ErrorPanel onRetry={onRetry}>{messageOf(error)}</ErrorPanel>
      ) : (
        <EmptyState
          title={t('sqllab.noDatabase', 'No databases available')}
          actions={
            <>
              <ButtonLink variant="primary" href="/databaseview/list/?show_database_modal=true">
                {t('sqllab.connect', 'Connect a database')}
              </ButtonLink>
              {canUploadAny && <FileButton icon="upload">{t('sqllab.upload', 'Upload a file')}</FileButton>}
            </>
          }
        >
          {t('sqllab.noDatabaseText', 'Connect a database, or ask an administrator for access to one.')}
        </EmptyState>
      )}
    </div>
  )
}
