import Type, { type Static } from 'typebox'
import {
  AnyObject,
  auditFields,
  body,
  ids,
  nullable,
  nullish,
  openObject,
  optional,
  revisionFields,
  row,
  SubjectSummary,
  text,
} from './fields.ts'
import { bulkDelete, readingRoutes, writingRoutes } from './resource.ts'
import { defineRoute } from './route.ts'

/** `Regular` rules apply to the rule's subjects and to users with their roles and groups, `Base` rules to all other users. */
export const ruleTypes = ['Regular', 'Base'] as const
export type RuleType = (typeof ruleTypes)[number]

const ruleType = () => Type.Unsafe<RuleType>({ type: 'string', enum: [...ruleTypes] })
const datasetIds = () => Type.Array(Type.Integer(), { minItems: 1, maxItems: 10_000 })
/** SQL condition that visible rows meet. Longer ones are unreadable. */
const clause = () => text(1, 10_000)

/**
 * Whom a rule names: role ids, as in older releases, and ids of subjects. `roles` replaces the roles, and `subjects` everything. If
 * both are sent, the one that differs from the stored rule counts.
 */
const subjectFields = () => ({ roles: optional(ids()), subjects: optional(ids()) })

export const RowLevelSecurityRulePost = body({
  name: text(1, 255),
  description: nullish(text(0, 10_000)),
  filter_type: ruleType(),
  /** Ids of datasets. */
  tables: datasetIds(),
  ...subjectFields(),
  group_key: nullish(text(0, 255)),
  clause: clause(),
})
export type RowLevelSecurityRulePost = Static<typeof RowLevelSecurityRulePost>

export const RowLevelSecurityRulePut = body({
  name: optional(text(1, 255)),
  description: nullish(text(0, 10_000)),
  filter_type: optional(ruleType()),
  tables: optional(datasetIds()),
  ...subjectFields(),
  group_key: nullish(text(0, 255)),
  clause: optional(clause()),
  ...revisionFields,
})
export type RowLevelSecurityRulePut = Static<typeof RowLevelSecurityRulePut>

const NamedRole = row({ id: Type.Integer(), name: Type.String() })
const NamedTable = row({ id: Type.Integer(), schema: nullable(Type.String()), table_name: Type.String() })

/** A rule in lists and details. `is_checked` is false while its clause has not been checked against all its tables. */
const Rule = row({
  id: Type.Integer(),
  uuid: Type.String(),
  name: Type.String(),
  description: nullable(Type.String()),
  filter_type: ruleType(),
  tables: Type.Array(NamedTable),
  roles: Type.Array(NamedRole),
  subjects: Type.Array(SubjectSummary),
  group_key: nullable(Type.String()),
  clause: Type.String(),
  is_checked: Type.Boolean(),
  ...auditFields,
})

/** A rule before it is saved. */
export const RowLevelSecurityRulePreviewBody = body({
  /** Id of the rule that the draft replaces. */
  id: nullish(Type.Integer()),
  filter_type: ruleType(),
  tables: datasetIds(),
  ...subjectFields(),
  clause: clause(),
  group_key: nullish(text(0, 255)),
  /** Id of the user whose rows are shown. */
  user: nullish(Type.Integer()),
})
export type RowLevelSecurityRulePreviewBody = Static<typeof RowLevelSecurityRulePreviewBody>

/** Null where the number depends on the user. */
const RowCounts = { before: nullable(Type.Integer()), after: nullable(Type.Integer()) }

/** Rows that a rule hides or shows, for the first of its datasets. */
export const RowLevelSecurityRulePreview = openObject({
  /** Why a table does not accept the clause; nothing is counted then. Lines and columns count from 1. */
  problem: nullable(
    openObject({
      table: Type.String(),
      message: Type.String(),
      line_number: nullable(Type.Integer()),
      start_column: nullable(Type.Integer()),
      end_column: nullable(Type.Integer()),
    }),
  ),
  result: Type.Array(
    openObject({
      id: Type.Integer(),
      table_name: Type.String(),
      /** Row counts of each subject; a subject of null means all other users. */
      subjects: Type.Array(openObject({ subject: nullable(SubjectSummary), ...RowCounts })),
      user: nullable(openObject(RowCounts)),
      /** Rows that the user sees afterwards. */
      samples: Type.Array(AnyObject),
    }),
  ),
})
export type RowLevelSecurityRulePreview = Static<typeof RowLevelSecurityRulePreview>

const part = { name: 'rowlevelsecurity', view: 'Row Level Security' } as const

/** `/api/v1/rowlevelsecurity/`: conditions that restrict which rows of datasets users see. */
export const rowLevelSecurityRuleRoutes = (() => {
  const { distinct: _, ...reading } = readingRoutes({ ...part, listed: Rule, detail: Rule })
  return {
    ...reading,
    ...writingRoutes({ ...part, post: RowLevelSecurityRulePost, put: RowLevelSecurityRulePut }),
    bulkDelete: bulkDelete(part),
    preview: defineRoute({
      method: 'POST',
      path: '/api/v1/rowlevelsecurity/preview',
      summary: 'Counts the rows that users, roles and groups see without and with a row-level security rule',
      body: RowLevelSecurityRulePreviewBody,
      reply: RowLevelSecurityRulePreview,
      can: ['can_write', 'Row Level Security'],
      object: 'every object that the body references',
      rate: 'query',
      audit: 'none',
      csrf: 'token',
      errors: 'plain',
      fails: ['invalid_payload', 'unprocessable', 'query_failed', 'query_timeout', 'connection_failed'],
    }),
  }
})()
