/** Kinds of subjects by their number in the API: everyone to whom something can be granted. */
export const subjectTypes = { user: 1, role: 2, group: 3 } as const
export type SubjectType = keyof typeof subjectTypes

/**
 * Id of the subject of a user, role or group. It contains the type, so subjects are not stored; the view `subject` of the metadata
 * store computes the same.
 */
export const subjectId = (type: SubjectType, id: number): number => 4 * id + subjectTypes[type]

/** The user, role or group of a subject id; undefined for a number that is no subject id. */
export function parseSubjectId(id: number): { type: SubjectType; id: number } | undefined {
  const type = (Object.keys(subjectTypes) as SubjectType[]).find((each) => subjectTypes[each] === id % 4)
  return type && id > 4 ? { type, id: (id - subjectTypes[type]) / 4 } : undefined
}
