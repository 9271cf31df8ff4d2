import { Icon, toastError, useTranslate } from '@parquetry/ui'
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { lazyComponent } from '../../shared/lazy-component.tsx'
import { openUpload, filesToUpload, canUploadAny, subscribeUpload } from '../../shared/upload.ts'
import styles from './UploadDropTarget.module.css'

const loadDialog = () => import('../../upload/UploadDialog.tsx')
const UploadDialog = lazyComponent(async () => (await loadDialog()).UploadDialog)

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true

/** Accepts files dropped anywhere in the window, and shows the upload dialog. */
export function UploadDropTarget() {
  const t = useTranslate()
  const isOpen = useSyncExternalStore(subscribeUpload, () => filesToUpload().length > 0)
  const [over, setOver] = useState<number | null>(null)

  useEffect(() => {
    const move = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      // Another drop target on the page handles the files.
      if (event.defaultPrevented) return setOver(null)
      event.preventDefault()
      // A drop is likely to follow.
      if (canUploadAny) void loadDialog()
      if (event.dataTransfer) event.dataTransfer.dropEffect = canUploadAny ? 'copy' : 'none'
      setOver(event.dataTransfer?.items.length || 1)
    }
    const leave = (event: DragEvent): void => {
      // Only leaving the window has no related target.
      if (event.relatedTarget === null) setOver(null)
    }
    const drop = (event: DragEvent): void => {
      setOver(null)
      if (!hasFiles(event) || event.defaultPrevented) return
      event.preventDefault()
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length === 0) return
      if (canUploadAny) openUpload(files)
      else
        toastError(
          t(
            'app.upload.noRight',
            'You don’t have permission to upload files. Ask an administrator to add it to your role.',
          ),
        )
    }
    addEventListener('dragover', move)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', move)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
    }
  }, [t])

  return (
    <>
      {over !== null && canUploadAny && (
        <div className={styles.over} role="status">
          <p>
            <Icon name="upload" size={20} />{' '}
            {t('app.upload.drop', 'Drop to upload {count, plural, one {the file} other {# files}}', { count: over })}
          </p>
        </div>
      )}
      {isOpen && (
        <Suspense>
          <UploadDialog />
        </Suspense>
      )}
    </>
  )
}
