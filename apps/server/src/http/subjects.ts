import {
  message,
  parseSubjectId,
  type PermissionPair,
  subjectId,
  type SubjectSummary,
  type SubjectType,
  subjectTypes,
} from '@parquetry/model'
import { type Kysely, sql, type SqlBool, type Transaction } from 'kysely'
import { ownedBy } from '../access/access.ts'
import { hasPermission } from '../access/principal.ts'
import { authorizeRoleData } from '../access/role-grants.ts'
import { editorLinks, type OwnableKind, type SubjectLinks, viewerLinks } from '../access/subject-links.ts'
import { alwaysFalse, or } from '../store/conditions.ts'
import type { Tables } from '../store/tables.ts'
import { booleanOperator, type Filter, toManyFilter } from './filters.ts'
import type { Settings } from '../settings/settings.ts'
import { type RelatedSource, relatedSubjects } from './related.ts'
import { mergeSubjects } from './merge-subjects.ts'
import type { ColumnResolver, ReadContext } from './resource.ts'
import { type FieldErrorCollector, replaceLinks, unprocessableFields } from './writing.ts'

const types = Object.keys(subjectTypes) as SubjectType[]
const tableOf = (type: SubjectType) => (type === 'group' ? 'user_group' : type)

/** Ids of the subjects among these that exist. */
export async function findSubjects(db: Kysely<Tables>, ids: readonly number[]): Promise<Set<number>> {
  const found = await Promise.all(
    types.map(async (type) => {
      const own = selectIds(ids, type)
      if (own.length === 0) return []
      const { rows } = await sql<{ id: number }>`select id from ${sql.table(tableOf(type))}
        where id in (${sql.join(own)})`.execute(db)
      return rows.map(({ id }) => subjectId(type, id))
    }),
  )
  return new Set(found.flat())
}

/** Ids of the subjects of an object, in ascending order. */
export async function readSubjects(db: Kysely<Tables>, links: SubjectLinks, objectId: number): Promise<number[]> {
  const { rows } = await sql<{ type: SubjectType; id: number }>`${sql.join(
    types.map((type) => {
      const { through, own, other } = links[type]
      return sql`select ${sql.lit(type)} as type, ${sql.ref(other)} as id from ${sql.table(through)}
        where ${sql.ref(own)} = ${objectId}`
    }),
    sql` union all `,
  )}`.execute(db)
  return rows.map(({ type, id }) => subjectId(type, Number(id))).toSorted((a, b) => a - b)
}

/** Ids of the users, roles or groups among subjects. */
export const selectIds = (subjects: readonly number[], type: SubjectType): number[] =>
  subjects.flatMap((id) => {
    const subject = parseSubjectId(id)
    return subject?.type === type ? [subject.id] : []
  })

/** Replaces the subjects of an object. */
export async function replaceSubjects(
  trx: Transaction<Tables>,
  links: SubjectLinks,
  objectId: number,
  subjects: readonly number[],
): Promise<void> {
  for (const type of types) await replaceLinks(trx, links[type], objectId, [...new Set(selectIds(subjects, type))])
}

/** Number of charts, dashboards and datasets that a role or group owns or may view; deleting it must not open them to others. */
export async function countLinked(db: Kysely<Tables>, type: 'role' | 'group', id: number): Promise<number> {
  const links = [...Object.values(editorLinks), ...Object.values(viewerLinks)].map((each) => each[type])
  const { rows } = await sql<{ n: number }>`select count(*) as n from (${sql.join(
    links.map(
      ({ through, own, other }) =>
        sql`select ${sql.lit(own)} as kind, ${sql.ref(own)} as id from ${sql.table(through)} where ${sql.ref(other)} = ${id}`,
    ),
    sql` union `,
  )}) as object`.execute(db)
  return Number(rows[0]?.n ?? 0)
}

/** Subjects of each of these objects, ordered by label. */
export async function labelSubjects(
  db: Kysely<Tables>,
  links: SubjectLinks,
  objectIds: readonly number[],
): Promise<Map<number, SubjectSummary[]>> {
  if (objectIds.length === 0) return new Map()
  // The ids in the view are computed, so its rows are found by the ids of users, roles and groups.
  const { rows } = await sql<SubjectSummary & { of: number }>`${sql.join(
    types.map((type) => {
      const { through, own, other } = links[type]
      return sql`select link.${sql.ref(own)} as of, subject.id, subject.label, subject.type
        from ${sql.table(through)} as link join subject on subject.${sql.ref(other)} = link.${sql.ref(other)}
        where link.${sql.ref(own)} in (${sql.join(objectIds)})`
    }),
    sql` union all `,
  )}`.execute(db)
  const ordered = rows
    .map(({ of, id, label, type }) => ({ of: Number(of), subject: { id: Number(id), label, type: Number(type) } }))
    .toSorted(({ subject: one }, { subject: other }) =>
      one.label < other.label ? -1 : one.label > other.label ? 1 : one.id - other.id,
    )
  const byObject = new Map<number, SubjectSummary[]>(objectIds.map((id) => [id, []]))
  for (const { of, subject } of ordered) byObject.get(of)?.push(subject)
  return byObject
}

/** `{ id, label, type }` of the subjects of each object. */
export const subjectsColumn =
  <Row extends { id: number }>(links: SubjectLinks): ColumnResolver<Row> =>
  async (rows, { db }) => {
    const ids = rows.map(({ id }) => id)
    const found = await labelSubjects(db, links, ids)
    return ids.map((id) => found.get(id) ?? [])
  }

/** Objects that name a user, role or group themselves, by the id of its subject. */
export const subjectFilter = (sourceTable: string, links: SubjectLinks): Filter => [
  {
    operator: 'rel_m_m',
    name: 'Relation as Many',
    unannounced: true,
    apply(value, context) {
      const subject = parseSubjectId(Number(value))
      if (!subject) return undefined
      const [filter] = toManyFilter(sourceTable, tableOf(subject.type), links[subject.type])
      return filter?.apply(subject.id, context)
    },
  },
]

/** Pickers of owners and viewers, with the kinds of subjects that the settings allow. */
export function subjectPickers(kind: OwnableKind, config: Settings['config']): Record<string, RelatedSource> {
  const own = { chart: config.SUBJECTS_RELATED_TYPES_CHARTS, dashboard: config.SUBJECTS_RELATED_TYPES_DASHBOARDS }
  const subjects = relatedSubjects((kind === 'dataset' ? null : own[kind]) ?? config.SUBJECTS_RELATED_TYPES)
  return kind === 'dataset' ? { editors: subjects } : { editors: subjects, viewers: subjects }
}

/** Filter `id : is_editable`: objects that the caller may change. */
export const editableFilter = (kind: OwnableKind, action: PermissionPair): Filter => [
  {
    ...booleanOperator('is_editable', 'Is editable', ({ principal }) => {
      if (!hasPermission(principal, action)) return alwaysFalse
      return principal.isAdmin ? sql<SqlBool>`1 = 1` : or(ownedBy(kind, principal))
    }),
    unannounced: true,
  },
]

/** Owners in a body: ids of users, and ids of subjects. */
export interface SentEditors {
  owners?: readonly number[] | undefined
  editors?: readonly number[] | undefined
}

/** Adds a complaint for each field that names someone who does not exist. */
export async function checkEditors(
  { db }: Pick<ReadContext, 'db'>,
  { owners = [], editors = [] }: SentEditors,
  errors: FieldErrorCollector,
): Promise<void> {
  const found = await findSubjects(db, [...owners.map((id) => subjectId('user', id)), ...editors])
  if (!owners.every((id) => found.has(subjectId('user', id))))
    errors.add('owners', message('errors.fields.owners', 'Owners are invalid'))
  if (!editors.every((id) => found.has(id)))
    errors.add('editors', message('errors.fields.subjects', 'Some of these users, roles or groups do not exist.'))
}

/**
 * Stores the owners of an object as the body names them, and the caller unless they are an administrator or the owners stay as they are.
 * A new object without owners gets its creator.
 * @returns whether they have changed
 * @throws AppError `unprocessable` if the two spellings contradict each other; `forbidden` for a new role of a dataset, whose owners read
 * its data, unless the caller is an administrator
 */
export async function writeEditors(
  trx: Transaction<Tables>,
  { principal }: Pick<ReadContext, 'principal'>,
  kind: OwnableKind,
  id: number,
  { owners: older, editors: newer }: SentEditors,
  isNew = false,
): Promise<boolean> {
  const links = editorLinks[kind]
  const callers = principal.id === null ? [] : [subjectId('user', principal.id)]
  const stored = isNew ? [] : await readSubjects(trx, links, id)
  const merged = mergeSubjects('user', { older, newer }, stored)
  if (merged === 'conflict') throw contradiction('editors', 'owners')
  if (!merged && !isNew) return false
  const kept = merged ?? []
  const added = kept.filter((each) => !stored.includes(each))
  if (kind === 'dataset' && selectIds(added, 'role').length > 0) authorizeRoleData(principal)
  const isCallerAdded = (isNew && kept.length === 0) || !principal.isAdmin
  await replaceSubjects(trx, links, id, isCallerAdded ? [...callers, ...kept] : kept)
  return true
}

/** Error for two spellings that contradict each other. */
export const contradiction = (newer: string, older: string) =>
  unprocessableFields({
    [newer]: [
      message('errors.fields.spellings', '{newer} and {older} contradict each other. Send only one of them.', {
        newer,
        older,
      }),
    ],
  })
