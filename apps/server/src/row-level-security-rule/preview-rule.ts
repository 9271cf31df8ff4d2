import {
  message,
  previewLimits,
  type QueryObject,
  type RowLevelSecurityRulePreview,
  type RowLevelSecurityRulePreviewBody,
  subjectId,
} from '@parquetry/model'
import { readQueryContext } from '@parquetry/query'
import { isTemplate } from '@parquetry/templates'
import type { Kysely } from 'kysely'
import { loadGroupRights, loadPrincipalById } from '../access/load-principal.ts'
import type { Principal } from '../access/principal.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { resolveQuery } from '../chart/resolve-query.ts'
import type { ResolvedQuery } from '../chart/resolved-query.ts'
import { runQuery } from '../chart/run-query.ts'
import type { ReadContext } from '../http/resource.ts'
import { unprocessableFields } from '../http/writing.ts'
import { loadDatasetRules, type ApplicableRule } from '../row-level-security/load-rules.ts'
import type { Tables } from '../store/tables.ts'
import { checkClause } from './check-clause.ts'
import { mergeRuleSubjects, requireReferences } from './save-rule.ts'

type TablePreview = RowLevelSecurityRulePreview['result'][number]
type RowCounts = Pick<TablePreview['subjects'][number], 'before' | 'after'>

const countRows = {
  columns: [],
  metrics: [{ expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' }],
} satisfies QueryObject

/** Someone whose rows are counted, and how. */
interface Viewer {
  subject: TablePreview['subjects'][number]['subject']
  /** Null for users whose rows the caller may not count, or who are not active. */
  principal: Principal | null
  /** Clauses that do not depend on who of them reads: for a role only those without templates. */
  canCount(clause: string): boolean
}

/**
 * Counts the rows that subjects and a user see without and with a rule that is not saved yet. For roles and groups it is assumed that
 * a user has that one only.
 * @throws AppError `unprocessable` for ids that do not exist, and for a user chosen by someone who is not an administrator: what
 * another user sees, with their attributes, is for administrators only
 */
export async function previewRule(
  deps: ChartDeps,
  context: ReadContext,
  draft: RowLevelSecurityRulePreviewBody,
  signal: AbortSignal,
): Promise<RowLevelSecurityRulePreview> {
  const { principal, db } = context
  await requireReferences(context, { id: null, tables: [...new Set(draft.tables)], named: draft })
  if (draft.user != null && draft.user !== principal.id && !principal.isAdmin)
    throw unprocessableFields({
      user: [message('errors.rule.previewUser', 'Only an administrator can preview the rows of another user.')],
    })
  const user = draft.user == null ? null : await loadPrincipalById(db, draft.user)
  if (user === undefined)
    throw unprocessableFields({ user: [message('errors.rule.user', 'This user does not exist, or is not active.')] })
  const ids = [...new Set(draft.tables)].slice(0, previewLimits.tables)
  const { problem } = await checkClause(deps, principal, ids, draft.clause, signal)
  if (problem) return { problem, result: [] }
  const viewers = await loadViewers(db, principal, mergeRuleSubjects(draft, []).slice(0, previewLimits.subjects))
  const result: TablePreview[] = []
  for (const id of ids) {
    const table = await createTableCounter(deps, principal, id, draft, signal)
    const subjects: TablePreview['subjects'] = []
    for (const { subject, principal: viewer, canCount } of viewers)
      subjects.push({ subject, ...(viewer ? await table.count(viewer, canCount) : { before: null, after: null }) })
    const asUser = user && withRights(user, principal)
    result.push({
      id,
      table_name: table.name,
      subjects,
      user: asUser && (await table.count(asUser, anyClause)),
      samples: asUser ? await table.sample(asUser) : [],
    })
  }
  return { problem: null, result }
}

const anyClause = (): boolean => true

/** Others only bring their rules: the caller may read the dataset. */
const withRights = (user: Principal, { permissions, isAdmin }: Principal): Principal => ({
  ...user,
  permissions,
  isAdmin,
})

/** Users of whom only one role or group is known, for each of these subjects, and for all others; users themselves for administrators. */
async function loadViewers(
  db: Kysely<Tables>,
  caller: Principal,
  subjects: readonly number[],
): Promise<readonly Viewer[]> {
  const unknown: Principal = {
    ...caller,
    id: null,
    username: null,
    email: '',
    roles: [],
    groups: [],
    attributes: new Map(),
  }
  const named =
    subjects.length === 0
      ? []
      : await db
          .selectFrom('subject')
          .select(['id', 'label', 'type', 'user_id', 'role_id', 'group_id'])
          .where('id', 'in', subjects)
          .orderBy('type')
          .orderBy('label')
          .execute()
  const viewers: Viewer[] = []
  for (const { id, label, type, user_id, role_id, group_id } of named) {
    const subject = { id, label, type }
    if (role_id !== null)
      viewers.push({ subject, principal: { ...unknown, roles: [{ id: role_id, name: label }] }, canCount: isPlain })
    else if (group_id !== null)
      viewers.push({
        subject,
        principal: { ...unknown, ...(await loadGroupRights(db, group_id)) },
        canCount: (clause) => isPlain(clause) || !/current_user/.test(clause),
      })
    else if (user_id !== null) {
      const user = caller.isAdmin ? await loadPrincipalById(db, user_id) : undefined
      viewers.push({ subject, principal: user ? withRights(user, caller) : null, canCount: anyClause })
    }
  }
  return [...viewers, { subject: null, principal: unknown, canCount: isPlain }]
}

const isPlain = (clause: string): boolean => !isTemplate(clause)

/** Counts and reads the rows of one dataset as others see them. */
async function createTableCounter(
  deps: ChartDeps,
  caller: Principal,
  id: number,
  draft: RowLevelSecurityRulePreviewBody,
  signal: AbortSignal,
) {
  const columnNames = (resolved: ResolvedQuery) =>
    resolved.dataset.columns.slice(0, 20).map((column) => column.column_name)
  const context = readQueryContext({ datasource: { id, type: 'table' }, queries: [countRows], force: true })
  const resolved = await resolveQuery(context, deps, caller)
  const counted = new Map<string, number>()
  const rulesOf = async (principal: Principal) => {
    const before = await loadDatasetRules(deps.db, principal, resolved.database, resolved.stored.row)
    return { before, after: replaceRule(before, draft, principal) }
  }
  const read = async (principal: Principal, rlsRules: ApplicableRule[], query: QueryObject): Promise<object[]> => {
    const { run } = await runQuery(
      { ...resolved, principal, rlsRules },
      query,
      { as: 'rows', times: 'iso' },
      'results',
      signal,
    )
    return JSON.parse(run.body.toString()) as object[]
  }
  const countOnce = async (principal: Principal, rules: ApplicableRule[]): Promise<number> => {
    const isPersonal = rules.some(({ clause }) => isTemplate(clause))
    const reader = isPersonal && [principal.id, principal.groups]
    const key = JSON.stringify([rules.map(({ group_key, clause }) => [group_key, clause]), reader])
    const known = counted.get(key)
    if (known !== undefined) return known
    const [{ n = 0 } = {}] = (await read(principal, rules, countRows)) as { n?: number }[]
    counted.set(key, n)
    return n
  }
  return {
    name: resolved.dataset.table_name,
    /** Null for rules that cannot be counted. */
    async count(principal: Principal, canCount: (clause: string) => boolean): Promise<RowCounts> {
      const { before, after } = await rulesOf(principal)
      const count = async (rules: ApplicableRule[]) =>
        rules.every(({ clause }) => canCount(clause)) ? countOnce(principal, rules) : null
      return { before: await count(before), after: await count(after) }
    },
    async sample(principal: Principal): Promise<TablePreview['samples']> {
      const query = { columns: columnNames(resolved), row_limit: previewLimits.samples }
      return (await read(principal, (await rulesOf(principal)).after, query)) as TablePreview['samples']
    },
  }
}

/** The rules of a principal after the draft is saved. */
function replaceRule(
  rules: readonly ApplicableRule[],
  draft: RowLevelSecurityRulePreviewBody,
  { id: userId, roles, groups }: Principal,
): ApplicableRule[] {
  const { id, filter_type, clause, group_key } = draft
  const others = rules.filter((rule) => rule.id === undefined || rule.id !== id)
  const own = new Set([
    ...(userId === null ? [] : [subjectId('user', userId)]),
    ...roles.map((role) => subjectId('role', role.id)),
    ...groups.map((group) => subjectId('group', group.id)),
  ])
  const isNamed = mergeRuleSubjects(draft, []).some((subject) => own.has(subject))
  return isNamed === (filter_type === 'Regular') ? [...others, { group_key: group_key ?? null, clause }] : others
}
