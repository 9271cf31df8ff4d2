import { Button, Dialog, Icon, useTranslate } from '@parquetry/ui'
import { useState, useSyncExternalStore } from 'react'
import { FileChooser } from '../shared/FileChooser.tsx'
import { closeImport, importRequest, openImport, subscribeImport, type ImportRequest } from '../shared/import.ts'
import { importedFiles } from '../shared/bundle-file.ts'
import { ImportFile } from './ImportFile.tsx'
import styles from './import.module.css'

/** Imports the file of the request; without one, the user chooses it first. */
export function ImportDialog() {
  const request = useSyncExternalStore(subscribeImport, importRequest)
  // A file that is dropped on an open dialog starts a new import.
  const [numbers] = useState(() => new Map<ImportRequest, number>())
  if (!request) return null
  if (!numbers.has(request)) numbers.set(request, numbers.size)
  const { list, file } = request
  return file ? (
    <ImportFile key={numbers.get(request)} list={list} file={file} />
  ) : (
    <ChooseFile onChoose={(chosen) => openImport({ list, file: chosen })} />
  )
}

function ChooseFile({ onChoose }: { onChoose(file: File): void }) {
  const t = useTranslate()
  return (
    <Dialog
      open
      width={720}
      title={t('import.titleEmpty', 'Import an export file')}
      onClose={closeImport}
      footer={<Button onClick={closeImport}>{t('import.cancel', 'Cancel')}</Button>}
    >
      <div className={styles.zone}>
        <Icon name="upload" size={20} />
        <p>{t('import.drop', 'Drop an exported .zip file anywhere in this window, or')}</p>
        <FileChooser
          label={t('import.choose', 'Choose a file')}
          accept={importedFiles}
          fileName={null}
          onChoose={onChoose}
        />
        <p className={styles.quiet}>
          {t('import.nothingYet', 'You will see what changes before anything is imported.')}
        </p>
      </div>
    </Dialog>
  )
}
