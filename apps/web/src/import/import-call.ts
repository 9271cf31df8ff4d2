import { ApiError, parseErrorBody } from '@parquetry/client'
import type { ImportEnd, ImportProgress, ImportSecretField, ImportSummary } from '@parquetry/model'
import { api } from '../shared/api.ts'
import { t } from '../shared/intl.ts'
import type { ImportKind } from '../shared/import-permissions.ts'
import { readLines } from './read-lines.ts'

/** Secrets by form field and path of their file. */
export type ImportSecrets = Partial<Record<ImportSecretField, Record<string, string>>>

export interface ImportChoice {
  /** Paths to create or replace. */
  only: readonly string[]
  /** Those of them that are not replaced, if they exist by now. */
  onlyNew: readonly string[]
  secrets: ImportSecrets
}

export interface ImportCallOptions {
  signal: AbortSignal
  onProgress(progress: ImportProgress): void
}

type Line = { progress: ImportProgress } | { end: ImportEnd }

/** @param choice  what to write; null for a preview, which writes nothing */
function buildForm(file: File, choice: ImportChoice | null): FormData {
  const form = new FormData()
  if (choice === null) form.set('preview', 'true')
  else {
    form.set('overwrite', 'true')
    form.set('only', JSON.stringify(choice.only))
    form.set('only_new', JSON.stringify(choice.onlyNew))
    for (const [field, secrets] of Object.entries(choice.secrets)) form.set(field, JSON.stringify(secrets))
  }
  form.set('formData', file)
  return form
}

/**
 * Previews or imports a bundle.
 * @param choice  what to write; null for a preview, which writes nothing
 * @throws ApiError when it is refused or the connection is lost; AbortError when `signal` aborts
 */
export async function callImport(
  kind: ImportKind,
  file: File,
  choice: ImportChoice | null,
  { signal, onProgress }: ImportCallOptions,
): Promise<ImportSummary> {
  const body = buildForm(file, choice)
  const response = await api.send('POST', `/api/v1/${kind}/import/`, { body, signal, accept: 'application/x-ndjson' })
  let end: ImportEnd | undefined
  for await (const line of readLines(response)) {
    const read = JSON.parse(line) as Line
    if ('progress' in read) onProgress(read.progress)
    else end = read.end
  }
  if (!end) throw new ApiError(0, t('import.cut', 'The connection was lost before the server had answered.'))
  if (end.status >= 400) throw parseErrorBody(end.status, '', end.body)
  return (end.body as { parquetry: ImportSummary }).parquetry
}
