import type { ImportedObject, ImportSecretField, ImportSummary } from '@parquetry/model'
import type { ImportSecrets } from './import-call.ts'

/** Paths of the objects to create or replace. */
export type Selection = ReadonlySet<string>

/** Returns whether an object would be written and has no problem of its own. */
export const isSelectable = ({ state, problems = [] }: ImportedObject): boolean =>
  (state === 'new' || state === 'changed') && problems.length === 0

/** A selection in a preview. */
export interface SelectionOf {
  preview: ImportSummary
  selection: Selection
}

/**
 * Moves a selection to a later preview of the same file. What was new and exists now is not selected: it would be overwritten
 * without its own check box.
 */
export function moveSelection({ preview, selection }: SelectionOf, next: ImportSummary): Selection {
  if (preview === next) return selection
  const states = new Map(preview.objects.map(({ path, state }) => [path, state]))
  return new Set(
    next.objects.filter(({ path, state }) => selection.has(path) && states.get(path) === state).map(({ path }) => path),
  )
}

/** How many of the objects are selected. */
export const countSelected = (selection: Selection, objects: readonly ImportedObject[]): number =>
  objects.reduce((n, { path }) => n + (selection.has(path) ? 1 : 0), 0)

export interface RequiredSecret {
  path: string
  /** Name of the database. */
  name: string
  field: ImportSecretField
}

/** Secrets of the selected databases, each once. */
export const requiredSecrets = (objects: readonly ImportedObject[], selection: Selection): RequiredSecret[] =>
  objects
    .filter(({ path }) => selection.has(path))
    .flatMap(({ path, name, secrets = [] }) => [...new Set(secrets)].map((field) => ({ path, name, field })))

export const hasSecret = (secrets: ImportSecrets, { path, field }: RequiredSecret): boolean =>
  (secrets[field]?.[path] ?? '') !== ''
