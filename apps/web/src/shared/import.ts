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
const listeners = new Set<() => void>()

function set(next: ImportRequest | null): void {
  request = next
  for (const listener of listeners) listener()
}

/** Opens the import dialog over the page. An open one starts again with the new file. */
export const openImport = (next: ImportRequest): void => set(next)
export const closeImport = (): void => set(null)
export const importRequest = (): ImportRequest | null => request
export const subscribeImport = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
