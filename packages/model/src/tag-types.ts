/** Numbers of the types of tags in the API. Users write custom tags; the others follow from type, owners and favorites. */
export const tagTypes = { custom: 1, type: 2, owner: 3, favorited_by: 4 } as const
export type TagType = (typeof tagTypes)[keyof typeof tagTypes]

/** The API's ids have 32 bits, so ids of custom tags are below 900,000,000. */
const offsets = { type: 900_000_000, owner: 1_000_000_000, favorited_by: 1_500_000_000 } as const
export type ImplicitTagType = keyof typeof offsets

/** Id of a tag that follows from other data. @param of number of the type, or id of the user */
export const implicitTagId = (type: ImplicitTagType, of: number): number => offsets[type] + of

/** Parses the id of an implicit tag; undefined for the id of a custom tag. */
export function parseImplicitTagId(id: number): { type: ImplicitTagType; of: number } | undefined {
  for (const type of ['favorited_by', 'owner', 'type'] as const)
    if (id > offsets[type]) return { type, of: id - offsets[type] }
  return undefined
}

const implicitName = /^(type|owner|favorited_by):/i

/** True for names that only implicit tags have, such as `owner:1`. */
export const isImplicitTagName = (name: string): boolean => implicitName.test(name)
