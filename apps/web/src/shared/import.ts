import { importPermissions, type ImportKind } from './import-permissions.ts'
import { can } from './rights.ts'

export const canImport = (kind: ImportKind): boolean => can(...importPermissions[kind])

export const canImportAny: boolean = (Object.keys(importPermissions) as ImportKind[]).some(canImport)

/** Contents of the import dialog. */
export interface ImportRequest {
  /** Kind of the list from which it was opened; null for a file that was dropped. */
  list: ImportKind | null
  /** null if the user still has to choose a file. */
  file: File | null
}

let request: ImportRequest | null = null
let isBusy = false
const listeners = new Set<() => void>()

function set(next: ImportRequest | null): void {
  request = next
  for (const listener of listeners) listener()
}

/** Opens the import dialog over the page. An open one starts again with the new file. */
export const openImport = (next: ImportRequest): void => set(next)
export const closeImport = (): void => {
  isBusy = false
  set(null)
}
/** The open import runs, or the user has entered something: another file must not replace it. */
export const setImportBusy = (busy: boolean): void => void (isBusy = busy)
export const isImportBusy = (): boolean => isBusy
export const importRequest = (): ImportRequest | null => request
export const subscribeImport = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
