import { PageHeader, useTranslate } from '@parquetry/ui'
import { DropZone } from '../shared/DropZone.tsx'
import { canUploadAny } from '../shared/upload.ts'
import { useTitle } from '../shared/use-title.ts'
import { UploadedTables } from './UploadedTables.tsx'
import styles from './pages.module.css'

export function UploadPage() {
  const t = useTranslate()
  const title = canUploadAny ? t('upload.page.title', 'Upload a file') : t('upload.page.tables', 'Your tables')
  useTitle([title])
  return (
    <>
      <PageHeader title={title} />
      <div className={styles.content}>
        {canUploadAny && (
          <>
            <DropZone size="big" />
            <p className={styles.note}>
              {t(
                'upload.page.note',
                'Each file becomes a table in the Uploads database and a dataset that you own. You can change names and types before anything is written.',
              )}
            </p>
          </>
        )}
        <UploadedTables />
      </div>
    </>
  )
}
