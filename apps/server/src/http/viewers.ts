import { message, parseSubjectId, subjectId } from '@parquetry/model'
import { sql, type Transaction } from 'kysely'
import { type ViewableKind, viewerLinks } from '../access/subject-links.ts'
import type { Tables } from '../store/tables.ts'
import { mergeSubjects } from './merge-subjects.ts'
import type { ReadContext } from './resource.ts'
import { contradiction, findSubjects, readSubjects, replaceSubjects } from './subjects.ts'
import { type FieldErrorCollector, unprocessableFields } from './writing.ts'

/** Viewers in a body: ids of roles, which only dashboards have, and ids of subjects. */
export interface SentViewers {
  roles?: readonly number[] | undefined
  viewers?: readonly number[] | undefined
}

/** Adds a complaint for each field that names someone who does not exist. */
export async function checkViewers(
  { db }: Pick<ReadContext, 'db'>,
  { roles = [], viewers = [] }: SentViewers,
  errors: FieldErrorCollector,
): Promise<void> {
  const found = await findSubjects(db, [...roles.map((id) => subjectId('role', id)), ...viewers])
  if (!roles.every((id) => found.has(subjectId('role', id))))
    errors.add('roles', message('errors.dashboard.rolesMissing', 'Some roles do not exist'))
  if (!viewers.every((id) => found.has(id)))
    errors.add('viewers', message('errors.fields.subjects', 'Some of these users, roles or groups do not exist.'))
}

/** Adds the groups of the creator as viewers to the body of a new object, if the settings say so and it names no viewers. */
export function withCreatorGroups<B extends SentViewers>(
  { principal, showsToCreatorGroups = false }: Pick<ReadContext, 'principal' | 'showsToCreatorGroups'>,
  body: B,
): B {
  const { groups } = principal
  if (!showsToCreatorGroups || body.viewers || body.roles || groups.length === 0) return body
  return { ...body, viewers: groups.map(({ id }) => subjectId('group', id)) }
}

const isUser = (id: number): boolean => parseSubjectId(id)?.type === 'user'

/**
 * Stores the viewers of an object as the body names them. Where viewers are turned off, `roles` has no effect (PERM-018), and `viewers`
 * only removes.
 * @throws AppError `unprocessable` if the two spellings contradict each other, or for new viewers where they are turned off
 */
export async function writeViewers(
  trx: Transaction<Tables>,
  { dashboardRoles: isEnabled }: Pick<ReadContext, 'dashboardRoles'>,
  kind: ViewableKind,
  id: number,
  { roles, viewers }: SentViewers,
): Promise<void> {
  if (!roles && !viewers) return
  const stored = await readSubjects(trx, viewerLinks[kind], id)
  const merged = mergeSubjects('role', { older: isEnabled ? roles : undefined, newer: viewers }, stored)
  if (merged === 'conflict') throw contradiction('viewers', 'roles')
  if (!merged) return
  const added = merged.filter((each) => !stored.includes(each))
  if (added.length > 0 && !isEnabled)
    throw unprocessableFields({
      viewers: [
        message('errors.fields.viewersOff', 'Viewers are turned off. An administrator can turn on ENABLE_VIEWERS.'),
      ],
    })
  await replaceSubjects(trx, viewerLinks[kind], id, merged)
  // Roles and groups reserve a dashboard themselves.
  if (kind === 'dashboard' ? !merged.some(isUser) : merged.length === 0) await openToOthers(trx, kind, id)
  else if (kind === 'chart' || (viewers && added.some(isUser))) await reserve(trx, kind, id)
}

/** From now on only viewers, owners and administrators see the object. */
const reserve = async (trx: Transaction<Tables>, kind: ViewableKind, id: number): Promise<void> => {
  await sql`insert into ${sql.table(`${kind}_restriction`)} (${sql.ref(`${kind}_id`)}) values (${id})
    on conflict do nothing`.execute(trx)
}

/** Those with access to the data of an object see it again, unless a dashboard has a viewer that is a role or group. */
export const openToOthers = async (trx: Transaction<Tables>, kind: ViewableKind, id: number): Promise<void> => {
  await sql`delete from ${sql.table(`${kind}_restriction`)} where ${sql.ref(`${kind}_id`)} = ${id}`.execute(trx)
}
