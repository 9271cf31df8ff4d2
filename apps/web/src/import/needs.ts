import type { ImportedObject } from '@parquetry/model'
import { isSelectable, type Selection } from './selection.ts'

/** Returns whether an object is there after an import of the selection. */
const isPresent = (object: ImportedObject, selection: Selection): boolean =>
  selection.has(object.path) || object.state === 'same' || object.state === 'kept' || object.state === 'changed'

/**
 * How the objects of a bundle depend on each other. A dataset needs its database and a chart its dataset; a dashboard is imported
 * without some of its charts, but not without all of them.
 */
export class ImportNeeds {
  readonly #objects = new Map<string, ImportedObject>()
  readonly #users = new Map<string, ImportedObject[]>()
  readonly #blockers = new Map<string, ImportedObject>()

  /** @param objects  in the order in which they are imported: those that others need come first */
  constructor(objects: readonly ImportedObject[]) {
    for (const object of objects) this.#objects.set(object.path, object)
    for (const object of objects) {
      const needed = this.of(object)
      for (const { path } of needed) {
        const users = this.#users.get(path)
        if (users) users.push(object)
        else this.#users.set(path, [object])
      }
      if (object.state !== 'new' && object.state !== 'changed') continue
      const missing = needed.filter((one) => this.#isImpossible(one))
      if (missing[0] && this.#lacks(object, missing.length)) this.#blockers.set(object.path, missing[0])
    }
  }

  /** Objects of the bundle that an object needs. */
  of({ needs = [] }: ImportedObject): ImportedObject[] {
    return needs.flatMap((path) => this.#objects.get(path) ?? [])
  }

  /** The object that cannot be imported, and therefore neither can this one. */
  blockerOf({ path }: ImportedObject): ImportedObject | undefined {
    return this.#blockers.get(path)
  }

  /** Returns whether the user decides if the object is imported. */
  isSelectable(object: ImportedObject): boolean {
    return isSelectable(object) && !this.#blockers.has(object.path)
  }

  /** Objects that can be chosen in one of the two states. */
  listSelectable(objects: readonly ImportedObject[], state: 'new' | 'changed'): ImportedObject[] {
    return objects.filter((object) => object.state === state && this.isSelectable(object))
  }

  /** New objects are imported, existing ones only on request. */
  initialSelection(): Selection {
    return new Set(this.listSelectable([...this.#objects.values()], 'new').map(({ path }) => path))
  }

  /** Objects that cannot be imported only because of others. */
  countBlocked(): number {
    return [...this.#blockers.keys()].filter((path) => (this.#objects.get(path)?.problems ?? []).length === 0).length
  }

  /** Objects that need the one of this path, also through others. */
  listUsers(path: string): ImportedObject[] {
    const found = new Set<ImportedObject>()
    const visit = (needed: string): void => {
      for (const user of this.#users.get(needed) ?? []) {
        if (found.has(user)) continue
        found.add(user)
        visit(user.path)
      }
    }
    visit(path)
    return [...found]
  }

  /** Charts of a dashboard that are missing after an import of the selection. */
  countMissing(object: ImportedObject, selection: Selection): number {
    return this.of(object).filter((needed) => !isPresent(needed, selection)).length
  }

  /** Adds objects with all that they need, or removes them with all that needs them. */
  select(selection: Selection, objects: readonly ImportedObject[], isOn: boolean): Selection {
    const next = new Set(selection)
    for (const object of objects) {
      if (isOn) this.#add(next, object)
      else this.#remove(next, object)
    }
    return next
  }

  #add(selection: Set<string>, object: ImportedObject): void {
    if (!this.isSelectable(object) || selection.has(object.path)) return
    selection.add(object.path)
    // Existing objects are there without being overwritten.
    for (const needed of this.of(object)) if (needed.state === 'new') this.#add(selection, needed)
  }

  #remove(selection: Set<string>, object: ImportedObject): void {
    if (!selection.delete(object.path) || isPresent(object, selection)) return
    for (const user of this.#users.get(object.path) ?? [])
      if (selection.has(user.path) && this.#lacks(user, this.countMissing(user, selection)))
        this.#remove(selection, user)
  }

  /** Returns whether an object cannot be imported when this number of those that it needs is missing. */
  #lacks(object: ImportedObject, missing: number): boolean {
    return object.kind === 'dashboard' ? missing > 0 && missing === this.of(object).length : missing > 0
  }

  #isRefused(object: ImportedObject): boolean {
    return (object.problems?.length ?? 0) > 0 || this.#blockers.has(object.path)
  }

  /** It is not there, and an import does not create it. */
  #isImpossible(object: ImportedObject): boolean {
    return object.state === 'left_out' || (object.state === 'new' && this.#isRefused(object))
  }
}
