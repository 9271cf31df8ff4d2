import { RowLevelSecurityRulePost, RowLevelSecurityRulePut } from '@parquetry/model'
import { sql, type Selectable } from 'kysely'
import { anyContains, textFilter, timeFilter, toManyFilter, toOneFilter } from '../http/filters.ts'
import { auditColumns, booleanColumn } from '../http/column-resolvers.ts'
import { relatedDatasets, relatedRoles, relatedUsers } from '../http/related.ts'
import type { SubjectLinks } from '../access/subject-links.ts'
import { subjectFilter, subjectsColumn } from '../http/subjects.ts'
import type { ColumnResolver, Resource } from '../http/resource.ts'
import type { RowLevelSecurityRuleTable } from '../store/tables.ts'

export type RuleRow = Selectable<RowLevelSecurityRuleTable>

const datasetLinks = { through: 'row_rule_dataset', own: 'row_rule_id', other: 'dataset_id' }
/** Links of a rule to its subjects by their type, as `replaceLinks` and the filters need them. */
export const subjectLinks = {
  user: { through: 'row_rule_user', own: 'row_rule_id', other: 'user_id' },
  role: { through: 'row_rule_role', own: 'row_rule_id', other: 'role_id' },
  group: { through: 'row_rule_group', own: 'row_rule_id', other: 'group_id' },
} as const satisfies SubjectLinks

/** Linked objects of each rule, ordered by name. */
const linked =
  (select: ReturnType<typeof sql>): ColumnResolver<RuleRow> =>
  async (rows, { db }) => {
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return []
    const found = await sql<{
      row_rule_id: number
    }>`${select} where row_rule_id in (${sql.join(ids)}) order by 3, 2`.execute(db)
    const byRule = Map.groupBy(found.rows, ({ row_rule_id }) => row_rule_id)
    return ids.map((id) => byRule.get(id) ?? [])
  }

const linkedDatasets = sql`select row_rule_id, dataset.id, table_name, "schema" from row_rule_dataset
  join dataset on dataset.id = dataset_id`
const linkedRoles = sql`select row_rule_id, role.id, role.name from row_rule_role join role on role.id = role_id`
const tables = ['tables.id', 'tables.table_name']
const roles = ['roles.id', 'roles.name']
const subjects = ['subjects.id', 'subjects.label', 'subjects.type']
const later = ['uuid', 'is_checked', 'changed_on', 'created_on']

/** Resource definition of `/api/v1/rowlevelsecurity/`. Users with the permission see all rules. */
export const ruleResource: Resource<RuleRow> & { kind: 'row_rule' } = {
  kind: 'row_rule',
  title: 'Row Level Security Filters',
  view: 'Row Level Security',
  list: {
    announced: [
      'id',
      'name',
      'filter_type',
      ...tables,
      ...roles,
      ...subjects,
      'clause',
      'changed_on_delta_humanized',
      'changed_by.first_name',
      'changed_by.last_name',
      'changed_by.id',
      'group_key',
    ],
    unannounced: ['description', 'tables.schema', ...later],
  },
  show: {
    announced: [
      'name',
      'description',
      'filter_type',
      'tables.id',
      'tables.schema',
      'tables.table_name',
      ...roles,
      ...subjects,
      'group_key',
      'clause',
    ],
    unannounced: ['id', 'changed_by.first_name', 'changed_by.last_name', ...later],
  },
  order: {
    name: 'row_rule.name',
    filter_type: 'row_rule.filter_type',
    clause: 'row_rule.clause',
    changed_on_delta_humanized: 'row_rule.changed_on',
    group_key: 'row_rule.group_key',
  },
  defaultOrder: ['changed_on_delta_humanized', 'desc'],
  filters: {
    name: [
      ...textFilter('row_rule.name'),
      {
        ...anyContains('rls_all_text', 'All Text', ['row_rule.name', 'row_rule.clause', 'row_rule.description']),
        unannounced: true,
      },
    ],
    description: textFilter('row_rule.description'),
    filter_type: textFilter('row_rule.filter_type'),
    tables: toManyFilter('row_rule', 'dataset', datasetLinks),
    roles: toManyFilter('row_rule', 'role', subjectLinks.role),
    subjects: subjectFilter('row_rule', subjectLinks),
    group_key: textFilter('row_rule.group_key'),
    clause: textFilter('row_rule.clause'),
    created_by: toOneFilter('row_rule.created_by_fk', 'user'),
    changed_by: toOneFilter('row_rule.changed_by_fk', 'user'),
    changed_on: timeFilter('row_rule.changed_on'),
  },
  resolvers: {
    ...auditColumns<RuleRow>(),
    tables: linked(linkedDatasets),
    roles: linked(linkedRoles),
    subjects: subjectsColumn(subjectLinks),
    is_checked: booleanColumn<RuleRow>('is_checked'),
  },
  related: {
    tables: relatedDatasets,
    roles: relatedRoles,
    created_by: relatedUsers(),
    changed_by: relatedUsers(),
  },
  distinct: [],
  bodies: { add: RowLevelSecurityRulePost, edit: RowLevelSecurityRulePut },
}
