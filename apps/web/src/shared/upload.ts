import type { UploadFormat } from '@parquetry/model/table-file/file-preview'
import { can } from './rights.ts'

const forms: Record<UploadFormat, string> = {
  csv: 'CsvToDatabaseView',
  json: 'CsvToDatabaseView',
  xlsx: 'ExcelToDatabaseView',
  parquet: 'ColumnarToDatabaseView',
}

/** LIST-025: returns whether the user may upload files of a format. */
export const canUpload = (format: UploadFormat): boolean => can('can_this_form_get', forms[format])

export const canUploadAny: boolean = (Object.keys(forms) as UploadFormat[]).some(canUpload)

/** File extensions for the file dialog. */
export const acceptedFiles = [
  ...(canUpload('csv') ? ['.csv', '.tsv', '.tab', '.txt', '.json', '.ndjson', '.jsonl'] : []),
  ...(canUpload('xlsx') ? ['.xlsx'] : []),
  ...(canUpload('parquet') ? ['.parquet'] : []),
].join(',')

let files: readonly File[] = []
const listeners = new Set<() => void>()

function set(next: readonly File[]): void {
  files = next
  for (const listener of listeners) listener()
}

/** Opens the upload dialog over the page, or adds the files to it. */
export const openUpload = (added: readonly File[]): void => set([...files, ...added])
export const closeUpload = (): void => set([])
export const filesToUpload = (): readonly File[] => files
export const subscribeUpload = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
