import { parseSubjectId, subjectId, type SubjectType } from '@parquetry/model'

/** The two spellings of a list of subjects in a body. Each is undefined if it was not sent. */
export interface SubjectSpellings {
  /** Ids of users in `owners`, of roles in `roles`. */
  older: readonly number[] | undefined
  /** Ids of subjects in `editors`, `viewers` or `subjects`. */
  newer: readonly number[] | undefined
}

const isSame = (one: ReadonlySet<number>, other: ReadonlySet<number>): boolean =>
  one.size === other.size && [...one].every((id) => other.has(id))

/**
 * Subject ids after a change. The older spelling replaces the subjects of its type and keeps the others, the newer one replaces all. If
 * both are sent, the one that differs from the stored state counts.
 * @param type  what the ids of the older spelling are
 * @returns undefined if nothing changes; `conflict` if both spellings differ from the stored state and from each other
 */
export function mergeSubjects(
  type: SubjectType,
  { older, newer }: SubjectSpellings,
  stored: readonly number[],
): number[] | undefined | 'conflict' {
  const isOlder = (id: number): boolean => parseSubjectId(id)?.type === type
  const before = new Set(stored)
  const ofOlder = older && new Set(older.map((id) => subjectId(type, id)))
  const ofNewer = newer && new Set(newer)
  const olderDiffers = ofOlder !== undefined && !isSame(ofOlder, new Set(stored.filter(isOlder)))
  const newerDiffers = ofNewer !== undefined && !isSame(ofNewer, before)
  if (newerDiffers) {
    if (olderDiffers && !isSame(ofOlder, new Set([...ofNewer].filter(isOlder)))) return 'conflict'
    return [...ofNewer]
  }
  return olderDiffers ? [...stored.filter((id) => !isOlder(id)), ...ofOlder] : undefined
}
