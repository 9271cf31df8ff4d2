import { parseSubjectId, subjectId, type SubjectType, subjectTypes } from '@parquetry/model'
import { type Kysely, sql, type Transaction } from 'kysely'
import { replaceLinks } from '../http/writing.ts'
import type { Tables } from '../store/tables.ts'
import { subjectLinks } from './rule-resource.ts'

/** Whom a body names: ids of roles and ids of subjects. */
export interface NamedSubjects {
  roles?: readonly number[] | undefined
  subjects?: readonly number[] | undefined
}

const roleSubject = (id: number): number => subjectId('role', id)
const isRole = (id: number): boolean => parseSubjectId(id)?.type === 'role'

/**
 * Subject ids of a rule after a change: role ids alone replace the roles among them, subject ids replace all.
 * @param before  subject ids of the stored rule
 */
export function mergeSubjects({ roles, subjects }: NamedSubjects, before: readonly number[]): number[] {
  const kept = subjects ?? (roles ? before.filter((id) => !isRole(id)) : before)
  return [...new Set([...kept, ...(roles ?? []).map(roleSubject)])]
}

/** The subject ids among these that exist. */
export async function findSubjects(db: Kysely<Tables>, ids: readonly number[]): Promise<Set<number>> {
  const parsed = ids.flatMap((id) => parseSubjectId(id) ?? [])
  const found = await Promise.all(
    (Object.keys(subjectTypes) as SubjectType[]).map(async (type) => {
      const own = parsed.filter((subject) => subject.type === type).map(({ id }) => id)
      if (own.length === 0) return []
      const table = type === 'group' ? 'user_group' : type
      const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)}
        where id in (${sql.join(own)})`.execute(db)
      return rows.map(({ id }) => subjectId(type, id))
    }),
  )
  return new Set(found.flat())
}

/** Subject ids of a stored rule. */
export async function readSubjects(db: Kysely<Tables>, ruleId: number): Promise<number[]> {
  const found = await Promise.all(
    (Object.keys(subjectTypes) as SubjectType[]).map(async (type) => {
      const { through, own, other } = subjectLinks[type]
      const { rows } = await sql<{ id: number }>`select ${sql.ref(other)} as id from ${sql.table(through)}
        where ${sql.ref(own)} = ${ruleId}`.execute(db)
      return rows.map(({ id }) => subjectId(type, id))
    }),
  )
  return found.flat().toSorted((a, b) => a - b)
}

/** Replaces the subjects of a rule. */
export async function replaceSubjects(
  trx: Transaction<Tables>,
  ruleId: number,
  subjects: readonly number[],
): Promise<void> {
  const parsed = subjects.flatMap((id) => parseSubjectId(id) ?? [])
  for (const type of Object.keys(subjectTypes) as SubjectType[]) {
    const ids = parsed.filter((subject) => subject.type === type).map(({ id }) => id)
    await replaceLinks(trx, subjectLinks[type], ruleId, ids)
  }
}
