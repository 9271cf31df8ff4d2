import type { ImportedObject, ImportSecretField } from '@parquetry/model'
import type { ImportSecrets } from './import-call.ts'

/** Paths of the objects to create or replace. */
export type Selection = ReadonlySet<string>

/** Returns whether the user decides if the object is imported. */
export const isSelectable = ({ state, problems = [] }: ImportedObject): boolean =>
  (state === 'new' || state === 'changed') && problems.length === 0

/** New objects are imported, existing ones only on request. */
export const initialSelection = (objects: readonly ImportedObject[]): Selection =>
  new Set(objects.filter((object) => object.state === 'new' && isSelectable(object)).map(({ path }) => path))

/** Objects that can be chosen in one of the two states. */
export const selectableIn = (objects: readonly ImportedObject[], state: 'new' | 'changed'): ImportedObject[] =>
  objects.filter((object) => object.state === state && isSelectable(object))

export const withSelected = (selection: Selection, objects: readonly ImportedObject[], isOn: boolean): Selection => {
  const next = new Set(selection)
  for (const { path } of objects) {
    if (isOn) next.add(path)
    else next.delete(path)
  }
  return next
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
