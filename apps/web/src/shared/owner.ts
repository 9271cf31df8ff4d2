/** An owner as shown in lists. */
export interface Owner {
  id: number
  first_name: string
  last_name: string
}

/** Users, roles and groups that own an object, as owners in lists. */
export const toOwners = (editors: readonly { id: number; label: string }[]): Owner[] =>
  editors.map(({ id, label }) => ({ id, first_name: label, last_name: '' }))
