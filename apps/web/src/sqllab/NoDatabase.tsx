import { ButtonLink, EmptyState, ErrorPanel, useTranslate } from '@parquetry/ui'
import { messageOf } from '../shared/errors.ts'
import { FileButton } from '../shared/FileButton.tsx'
import { RequestAccess } from '../shared/sharing/RequestAccess.tsx'
import { can } from '../shared/rights.ts'
import { canUploadAny } from '../shared/upload.ts'
import styles from './SqlLab.module.css'

/** SQL Lab without a database, or when the databases could not be loaded. */
export function NoDatabase({ error, onRetry }: { error: Error | null; onRetry(): void }) {
  const t = useTranslate()
  const mayConnect = can('can_write', 'Database')
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
              {mayConnect ? (
                <ButtonLink variant="primary" href="/databaseview/list/?show_database_modal=true">
                  {t('sqllab.connect', 'Connect a database')}
                </ButtonLink>
              ) : (
                <RequestAccess />
              )}
              {canUploadAny && <FileButton icon="upload">{t('sqllab.upload', 'Upload a file')}</FileButton>}
            </>
          }
        >
          {mayConnect
            ? t('sqllab.noDatabaseText', 'Connect a database, or ask an administrator for access to one.')
            : t('sqllab.noDatabaseAccess', 'Ask an administrator for access to a database.')}
        </EmptyState>
      )}
    </div>
  )
}
