import { toastError, type Translate } from '@parquetry/ui'
import { canImportAny, isImportBusy, openImport } from './import.ts'
import { acceptedFiles, canUploadAny, openUpload } from './upload.ts'

/** File extensions for a file dialog of files to upload or import. */
export const openedFiles = [acceptedFiles, ...(canImportAny ? ['.zip'] : [])].filter(Boolean).join(',')

/** A bundle among files; null if there is none. */
async function findBundle(files: readonly File[]): Promise<File | null> {
  const { readBundleKind } = await import('./bundle-file.ts')
  for (const file of files) if ((await readBundleKind(file).catch(() => null)) !== null) return file
  return null
}

/** Opens the dialog for files of the user's computer: a bundle is imported, all others are uploaded. */
export async function openFiles(files: readonly File[], t: Translate): Promise<void> {
  if (isImportBusy())
    return toastError(t('app.import.busy', 'Finish or cancel the open import first, then drop the file again.'))
  const bundle = await findBundle(files)
  if (bundle) openImport({ list: null, file: bundle })
  else if (canUploadAny) openUpload(files)
  else
    toastError(
      t(
        'app.upload.noRight',
        'You don’t have permission to upload files. Ask an administrator to add it to your role.',
      ),
    )
}
