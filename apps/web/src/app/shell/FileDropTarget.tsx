import { Icon, useTranslate } from '@parquetry/ui'
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { canImportAny, importRequest, subscribeImport } from '../../shared/import.ts'
import { lazyComponent } from '../../shared/lazy-component.tsx'
import { openFiles } from '../../shared/open-files.ts'
import { filesToUpload, canUploadAny, subscribeUpload } from '../../shared/upload.ts'
import styles from './FileDropTarget.module.css'

const loadUpload = () => import('../../upload/UploadDialog.tsx')
const UploadDialog = lazyComponent(async () => (await loadUpload()).UploadDialog)
const ImportDialog = lazyComponent(async () => (await import('../../import/ImportDialog.tsx')).ImportDialog)

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true
const canDrop = canUploadAny || canImportAny

/** Accepts files dropped anywhere in the window: a bundle is imported, all others are uploaded. */
export function FileDropTarget() {
  const t = useTranslate()
  const isUploading = useSyncExternalStore(subscribeUpload, () => filesToUpload().length > 0)
  const isImporting = useSyncExternalStore(subscribeImport, () => importRequest() !== null)
  const [over, setOver] = useState<{ count: number; isArchive: boolean } | null>(null)

  useEffect(() => {
    const move = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      // Another drop target on the page handles the files.
      if (event.defaultPrevented) return setOver(null)
      event.preventDefault()
      // A drop is likely to follow.
      if (canUploadAny) void loadUpload()
      if (event.dataTransfer) event.dataTransfer.dropEffect = canDrop ? 'copy' : 'none'
      const items = [...(event.dataTransfer?.items ?? [])]
      setOver({ count: items.length || 1, isArchive: items.length === 1 && /zip/.test(items[0]?.type ?? '') })
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
      if (files.length > 0) void openFiles(files, t)
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
      {over !== null && canDrop && (
        <div className={styles.over} role="status">
          <p>
            <Icon name="upload" size={20} />{' '}
            {(over.isArchive && canImportAny) || !canUploadAny
              ? t('app.import.drop', 'Drop to import the file')
              : t('app.upload.drop', 'Drop to upload {count, plural, one {the file} other {# files}}', {
                  count: over.count,
                })}
          </p>
        </div>
      )}
      {isUploading && (
        <Suspense>
          <UploadDialog />
        </Suspense>
      )}
      {isImporting && (
        <Suspense>
          <ImportDialog />
        </Suspense>
      )}
    </>
  )
}
