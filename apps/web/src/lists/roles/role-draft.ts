import type { PermissionPair } from './permission-texts.ts'

/** Unsaved changes of a role's permissions, relative to those that it has. */
export interface RoleDraft {
  added: ReadonlyMap<number, PermissionPair>
  removed: ReadonlySet<number>
}

export const emptyDraft: RoleDraft = { added: new Map(), removed: new Set() }

export const isDraftEmpty = ({ added, removed }: RoleDraft): boolean => added.size === 0 && removed.size === 0

/** Grants or takes permissions. @param saved  ids that the role has */
export function setHeld(
  { added, removed }: RoleDraft,
  saved: ReadonlySet<number>,
  pairs: readonly PermissionPair[],
  held: boolean,
): RoleDraft {
  const nextAdded = new Map(added)
  const nextRemoved = new Set(removed)
  for (const pair of pairs) {
    nextAdded.delete(pair.id)
    nextRemoved.delete(pair.id)
    if (held && !saved.has(pair.id)) nextAdded.set(pair.id, pair)
    if (!held && saved.has(pair.id)) nextRemoved.add(pair.id)
  }
  return { added: nextAdded, removed: nextRemoved }
}

/** The permissions of the role with the changes. */
export const applyDraft = ({ added, removed }: RoleDraft, saved: readonly PermissionPair[]): PermissionPair[] => [
  ...saved.filter(({ id }) => !removed.has(id) && !added.has(id)),
  ...added.values(),
]

/** Drops changes that another user has made as well, after the role was read again. */
export const reconcileDraft = ({ added, removed }: RoleDraft, saved: ReadonlySet<number>): RoleDraft => ({
  added: new Map([...added].filter(([id]) => !saved.has(id))),
  removed: new Set([...removed].filter((id) => saved.has(id))),
})
