import { ApiError } from '@parquetry/client'
import type { FileStyle, UploadState } from '@parquetry/model'
import { api } from '../shared/api.ts'
import { messageOf } from '../shared/errors.ts'
import { t } from '../shared/intl.ts'
import { canUpload } from '../shared/upload.ts'
import {
  buildLoadRequest,
  guessFromSample,
  newUploadItem,
  type UploadItem,
  sampleBytes,
  sheetTableName,
  withGuess,
  withRefusal,
} from './upload-item.ts'
import { sendFile } from './send-file.ts'

const pollMs = 250

interface Work {
  controller: AbortController
  /** Resolves when the file is sent and analyzed, or has failed; never rejects. */
  sent: Promise<void>
}

/** Files of the dialog. Each is analyzed and sent as soon as it is added. */
export class UploadList {
  #rows: readonly UploadItem[] = []
  #work = new Map<string, Work>()
  #listeners = new Set<() => void>()

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly all = (): readonly UploadItem[] => this.#rows
  /** Files that were added, including those that were removed again. */
  #known = new WeakSet<File>()

  /** Adds files that have never been in the list. */
  add(files: readonly File[]): void {
    for (const file of files) {
      if (this.#known.has(file)) continue
      this.#known.add(file)
      this.#begin(newUploadItem(file, crypto.randomUUID()))
    }
  }

  /** Adds the other sheets of a workbook, each as a table of its own. */
  addSheets(key: string): void {
    const row = this.#find(key)
    const sheets = row?.look?.sheets
    if (!row || !sheets) return
    const own = row.look?.style.sheet ?? null
    const listed = new Set(
      this.#rows.filter(({ file }) => file === row.file).map(({ look, sheet }) => look?.style.sheet ?? sheet),
    )
    if (own !== null && row.table_name === newUploadItem(row.file, key).table_name)
      this.patch(key, { table_name: sheetTableName(row.file, own), taken: null })
    for (const sheet of sheets) if (!listed.has(sheet)) this.#begin(newUploadItem(row.file, crypto.randomUUID(), sheet))
  }

  #begin(row: UploadItem): void {
    this.#set([...this.#rows, row])
    const controller = new AbortController()
    this.#work.set(row.key, { controller, sent: this.#send(row, controller.signal) })
  }

  #find = (key: string): UploadItem | undefined => this.#rows.find((row) => row.key === key)

  patch(key: string, change: Partial<UploadItem>): void {
    this.#set(this.#rows.map((row) => (row.key === key ? { ...row, ...change } : row)))
  }

  /** Stops processing a file, here and on the server. */
  remove(row: UploadItem): void {
    this.#work.get(row.key)?.controller.abort()
    this.#work.delete(row.key)
    if (row.sent?.id != null && row.state?.state !== 'ready')
      // The server eventually deletes the file on its own.
      void api.del('/api/v1/upload/:id', { params: { id: row.sent.id } }).catch(() => {})
    this.#set(this.#rows.filter(({ key }) => key !== row.key))
  }

  removeAll(): void {
    for (const row of this.#rows) this.remove(row)
  }

  /** Reads the file with other options. */
  async guessAgain(row: UploadItem, settings: Partial<FileStyle>): Promise<void> {
    if (row.start) return this.patch(row.key, guessFromSample(row, row.start, settings))
    const id = row.sent?.id
    if (id == null) return
    try {
      const preview = await api.post('/api/v1/upload/:id/look', { params: { id }, body: settings })
      this.patch(row.key, { ...withGuess(preview), error: null })
    } catch (error) {
      this.patch(row.key, { error: messageOf(error) })
    }
  }

  /** Loads a file after it has been sent. @returns the final state; null if loading did not start or failed */
  async load(key: string, database: number | null): Promise<UploadState | null> {
    const work = this.#work.get(key)
    await work?.sent
    const row = this.#find(key)
    if (!work || row?.sent?.id == null || !row.isSent || !row.look) return null
    const { signal } = work.controller
    const body = buildLoadRequest(row, database)
    try {
      this.patch(key, { error: null })
      let params = { id: row.sent.id }
      let state = await api.post('/api/v1/upload/:id/load', { params, body, signal }).catch(async (error: unknown) => {
        // The server discards files that wait for long when others need their place.
        if (!(error instanceof ApiError) || error.status !== 404) throw error
        params = { id: await sendFile(row.file, (sent) => this.patch(key, { sent, isSent: false }), signal) }
        this.patch(key, { isSent: true })
        return api.post('/api/v1/upload/:id/load', { params, body, signal })
      })
      while (state.state === 'loading') {
        this.patch(key, { state })
        await new Promise((resolve) => setTimeout(resolve, pollMs))
        state = await api.get('/api/v1/upload/:id', { params, signal })
      }
      const refusal = state.state === 'refused' && state.result ? withRefusal(row, state.result) : {}
      this.patch(key, { state, error: state.error, ...refusal })
      return state
    } catch (error) {
      if (!signal.aborted) this.patch(key, { error: messageOf(error), state: null })
      return null
    }
  }

  async #send(row: UploadItem, signal: AbortSignal): Promise<void> {
    const { key, file, format } = row
    const refusal = findRefusal(row)
    if (refusal) return this.patch(key, { error: refusal })
    const isText = format === 'csv' || format === 'json'
    try {
      if (isText) {
        const bytes = new Uint8Array(await file.slice(0, sampleBytes).arrayBuffer())
        this.patch(key, guessFromSample(row, bytes, {}))
      }
      const id = await sendFile(file, (sent) => this.patch(key, { sent }), signal)
      this.patch(key, { isSent: true })
      if (!isText)
        this.patch(
          key,
          withGuess(
            await api.post('/api/v1/upload/:id/look', {
              params: { id },
              body: row.sheet === null ? {} : { sheet: row.sheet },
              signal,
            }),
          ),
        )
    } catch (error) {
      if (!signal.aborted) this.patch(key, { error: messageOf(error) })
    }
  }

  #set(rows: readonly UploadItem[]): void {
    this.#rows = rows
    for (const listener of this.#listeners) listener()
  }
}

function findRefusal({ file, format }: UploadItem): string | null {
  if (/\.xls$/i.test(file.name))
    return t('upload.refused.xls', 'Old Excel files (.xls) can’t be read. Save the file as .xlsx and try again.')
  if (format === null && /\.zip$/i.test(file.name))
    return t(
      'upload.refused.zip',
      'This ZIP file is not an export of dashboards or charts: it is damaged or contains no metadata.yaml. If it contains tables, extract it and add its files.',
    )
  if (format === null)
    return t('upload.refused.format', 'Only CSV, TSV, JSON, Parquet and Excel (.xlsx) files can be added.')
  if (!canUpload(format))
    return t(
      'upload.refused.right',
      'You don’t have permission to upload files of this type. Ask an administrator to add it to your role.',
    )
  return file.size === 0 ? t('upload.refused.empty', 'The file is empty.') : null
}
