import type { ImportProgress, ImportSummary } from '@parquetry/model'
import { canImport } from '../shared/import.ts'
import type { ImportKind } from '../shared/import-permissions.ts'
import { readBundleKind } from '../shared/bundle-file.ts'
import { parseFailure, type ImportFailure } from './failure.ts'
import { callImport, type ImportChoice } from './import-call.ts'

export type ImportStage =
  /** The server reads the file and compares it with what exists. */
  | { stage: 'previewing'; progress: ImportProgress | null }
  /** The user may not import the file, or its kind is unknown. */
  | { stage: 'refused'; reason: 'permission' | 'unknown' }
  | { stage: 'failed'; failure: ImportFailure }
  /** The user chooses. `failure` is that of the last attempt; `wasCancelled` if it was stopped. */
  | { stage: 'ready'; preview: ImportSummary; failure: ImportFailure | null; wasCancelled: boolean }
  | { stage: 'importing'; preview: ImportSummary; progress: ImportProgress | null }
  | { stage: 'done'; summary: ImportSummary }

export interface ImportState {
  /** Kind whose call is used; null while unknown. */
  kind: ImportKind | null
  current: ImportStage
}

/** The import of one file: previews it, and imports it on request. Nothing is written before. */
export class ImportSession {
  readonly #file: File
  readonly #list: ImportKind | null
  readonly #listeners = new Set<() => void>()
  #state: ImportState = { kind: null, current: { stage: 'previewing', progress: null } }
  #work = new AbortController()

  /** @param list  kind whose call is used when the file does not tell its kind */
  constructor(file: File, list: ImportKind | null) {
    this.#file = file
    this.#list = list
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly state = (): ImportState => this.#state

  #set(current: ImportStage, kind = this.#state.kind): void {
    this.#state = { kind, current }
    for (const listener of this.#listeners) listener()
  }

  /** Starts other work in place of that which runs. */
  #begin(): AbortSignal {
    this.#work.abort()
    this.#work = new AbortController()
    return this.#work.signal
  }

  /** @param wasCancelled  an import was stopped before */
  async preview(wasCancelled = false): Promise<void> {
    const signal = this.#begin()
    const onProgress = (progress: ImportProgress | null): void => this.#set({ stage: 'previewing', progress })
    onProgress(null)
    try {
      const found = await readBundleKind(this.#file)
      if (signal.aborted) return
      const kind = found === null || found === 'unknown' ? this.#list : found
      if (kind === null || !canImport(kind))
        return this.#set({ stage: 'refused', reason: kind === null ? 'unknown' : 'permission' }, kind)
      this.#set(this.#state.current, kind)
      const preview = await callImport(kind, this.#file, null, { signal, onProgress })
      this.#set({ stage: 'ready', preview, failure: null, wasCancelled })
    } catch (error) {
      if (!signal.aborted) this.#set({ stage: 'failed', failure: parseFailure(error) })
    }
  }

  async run(choice: ImportChoice): Promise<void> {
    const { kind, current } = this.#state
    if (current.stage !== 'ready' || kind === null) return
    const { preview } = current
    const signal = this.#begin()
    const onProgress = (progress: ImportProgress | null): void => this.#set({ stage: 'importing', preview, progress })
    onProgress(null)
    try {
      const summary = await callImport(kind, this.#file, choice, { signal, onProgress })
      this.#set({ stage: 'done', summary })
    } catch (error) {
      if (!signal.aborted) this.#set({ stage: 'ready', preview, failure: parseFailure(error), wasCancelled: false })
    }
  }

  /** Stops what runs. */
  end(): void {
    this.#work.abort()
  }
}
