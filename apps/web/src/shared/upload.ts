import type { UploadFormat } from '@parquetry/model/table-file/guess'
import { can } from './rights.ts'

const forms: Record<UploadFormat, string> = {
  csv: 'CsvToDatabaseView',
  json: 'CsvToDatabaseView',
  xlsx: 'ExcelToDatabaseView',
  parquet: 'ColumnarToDatabaseView',
}

/** LIST-025: whether the user may add files of a format. */
export const canUpload = (format: UploadFormat): boolean => can('can_this_form_get', forms[format])

export const canUploadAny: boolean = (Object.keys(forms) as UploadFormat[]).some(canUpload)

/** Endings that a file dialog offers. */
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

/** Opens the upload dialog over the page; more files join those that are there. */
export const openUpload = (added: readonly File[]): void => set([...files, ...added])
export const closeUpload = (): void => set([])
export const filesToUpload = (): readonly File[] => files
export const subscribeUpload = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
