import { randomUUID } from 'node:crypto'
import { message, type RowLevelSecurityRulePost, type RowLevelSecurityRulePut, subjectId } from '@parquetry/model'
import { type Kysely, sql } from 'kysely'
import { datasetAccess } from '../access/access.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { visibleRow } from '../http/resource.ts'
import { refuseStale } from '../http/serve-resource.ts'
import {
  changedBy,
  createdBy,
  FieldErrorCollector,
  invalidPayload,
  toColumns,
  unprocessableFields,
  type WriteContext,
} from '../http/writing.ts'
import { addRuleDatasets, removeRuleDatasets } from '../row-level-security/rule-tables.ts'
import { and } from '../store/conditions.ts'
import type { Tables } from '../store/tables.ts'
import { change } from '../store/write.ts'
import { checkClause, toFieldMessage } from './check-clause.ts'
import { mergeSubjects } from '../http/merge-subjects.ts'
import { contradiction, findSubjects, readSubjects, replaceSubjects } from '../http/subjects.ts'
import { ruleResource, type RuleRow, subjectLinks } from './rule-resource.ts'

/** The parts of a rule that refer to something else. */
interface References {
  id: number | null
  /** Undefined in a preview. */
  name?: string | undefined
  tables: readonly number[]
  named: NamedSubjects
}

/** Whom a body names: ids of roles and ids of subjects. */
export interface NamedSubjects {
  roles?: readonly number[] | undefined
  subjects?: readonly number[] | undefined
}

/**
 * Subject ids of a rule after a change.
 * @throws AppError `unprocessable` if the two spellings contradict each other
 */
export function mergeRuleSubjects({ roles, subjects }: NamedSubjects, stored: readonly number[]): readonly number[] {
  const merged = mergeSubjects('role', { older: roles, newer: subjects }, stored)
  if (merged === 'conflict') throw contradiction('subjects', 'roles')
  return merged ?? stored
}

const fields = ['name', 'description', 'filter_type', 'group_key', 'clause'] as const

/**
 * Creates a rule. @returns its id
 * @throws AppError `unprocessable` naming the fields that are wrong; nothing is stored then
 */
export async function createRule(
  deps: ChartDeps,
  context: WriteContext,
  body: RowLevelSecurityRulePost,
  signal: AbortSignal,
): Promise<number> {
  const { principal, event, now } = context
  if (!body.roles && !body.subjects)
    throw invalidPayload({ roles: [message('errors.fields.missing', 'Missing data for required field.')] })
  const references = { id: null, name: body.name, tables: unique(body.tables), named: body }
  await requireReferences(context, references)
  const row = {
    description: null,
    group_key: null,
    ...toColumns(body, fields),
    name: body.name,
    filter_type: body.filter_type,
    clause: body.clause,
    is_checked: await requireClause(deps, context, references.tables, body.clause, signal),
    uuid: randomUUID(),
    ...createdBy(principal, now),
  }
  const history = { kind: 'row_rule', uuid: row.uuid, author: principal.id, event, now }
  return change(deps.db, { ...history, document: readRule }, async (trx) => {
    await requireReferences({ ...context, db: trx }, references)
    const { id } = await trx.insertInto('row_rule').values(row).returning('id').executeTakeFirstOrThrow()
    await addRuleDatasets(trx, id, references.tables)
    await replaceSubjects(trx, subjectLinks, id, mergeRuleSubjects(body, []))
    event.json = { id }
    return id
  })
}

/**
 * Changes the given fields of a rule. A change of its clause or datasets is checked by their databases.
 * @param ifMatch  `If-Match` of the request
 * @throws AppError `not_found`; `conflict`; `unprocessable` naming the fields that are wrong; nothing is stored then
 */
export async function updateRule(
  deps: ChartDeps,
  context: WriteContext,
  id: number,
  body: RowLevelSecurityRulePut,
  ifMatch: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { principal, event, now, db } = context
  const row = await visibleRow<RuleRow>(ruleResource, id, context)
  const seen = refuseStale(row, ifMatch, body.changed_on)
  const before = await readRule(db, id)
  const references = {
    id,
    name: body.name ?? row.name,
    tables: body.tables ? unique(body.tables) : before.tables,
    named: body,
  }
  await requireReferences(context, references)
  const changed = {
    ...toColumns(body, fields),
    is_checked: await requireClause(deps, context, references.tables, body.clause ?? row.clause, signal),
    ...changedBy(principal, now, row),
  }
  event.json = { id }
  const history = { kind: 'row_rule', uuid: row.uuid, id, seen, author: principal.id, event, now }
  await change(deps.db, { ...history, document: (trx) => readRule(trx, id) }, async (trx) => {
    await requireReferences({ ...context, db: trx }, references)
    await trx.updateTable('row_rule').set(changed).where('id', '=', id).execute()
    const { tables, subjects } = await readRule(trx, id)
    await removeRuleDatasets(
      trx,
      id,
      tables.filter((each) => !references.tables.includes(each)),
    )
    await addRuleDatasets(
      trx,
      id,
      references.tables.filter((each) => !tables.includes(each)),
    )
    await replaceSubjects(trx, subjectLinks, id, mergeRuleSubjects(body, subjects))
  })
}

const unique = (ids: readonly number[]): number[] => [...new Set(ids)]

/** A rule as its history stores it. */
async function readRule(db: Kysely<Tables>, id: number): Promise<RuleRow & { tables: number[]; subjects: number[] }> {
  const row = await db.selectFrom('row_rule').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const datasets = await db.selectFrom('row_rule_dataset').select('dataset_id').where('row_rule_id', '=', id).execute()
  return {
    ...row,
    tables: datasets.map(({ dataset_id }) => dataset_id),
    subjects: await readSubjects(db, subjectLinks, id),
  }
}

/** @throws AppError `unprocessable` naming each field with a name that is in use or an id that does not exist */
export async function requireReferences(
  { db, principal }: Pick<WriteContext, 'db' | 'principal'>,
  { id, name, tables, named: { roles = [], subjects = [] } }: References,
): Promise<void> {
  const errors = new FieldErrorCollector(unprocessableFields)
  const sameName =
    name === undefined
      ? undefined
      : await db.selectFrom('row_rule').select('id').where('name', '=', name).executeTakeFirst()
  if (name !== undefined && sameName && sameName.id !== id)
    errors.add('name', message('errors.rule.nameTaken', 'A rule named "{name}" already exists.', { name }))
  const access = datasetAccess(principal)
  const inIds = sql<boolean>`dataset.id in (${sql.join([...tables])})`
  const datasets = await sql`select id from dataset where ${and(access ? [inIds, access] : [inIds])}`.execute(db)
  if (datasets.rows.length !== tables.length)
    errors.add('tables', message('errors.rule.datasets', 'Some of these datasets do not exist.'))
  const found = await findSubjects(db, [...subjects, ...roles.map((role) => subjectId('role', role))])
  if (!roles.every((role) => found.has(subjectId('role', role))))
    errors.add('roles', message('errors.rule.roles', 'Some of these roles do not exist.'))
  if (!subjects.every((subject) => found.has(subject)))
    errors.add('subjects', message('errors.rule.subjects', 'Some of these users, roles or groups do not exist.'))
  errors.throwIfAny()
}

/**
 * Checks the clause on all datasets. @returns `is_checked` of the rule
 * @throws AppError `unprocessable` with the first problem
 */
async function requireClause(
  deps: ChartDeps,
  { principal }: WriteContext,
  datasetIds: readonly number[],
  clause: string,
  signal: AbortSignal,
): Promise<0 | 1> {
  const { problem, isComplete } = await checkClause(deps, principal, datasetIds, clause, signal)
  if (problem) throw unprocessableFields({ clause: [toFieldMessage(problem)] })
  return isComplete ? 1 : 0
}
