import type { Tables } from './tables.ts'

/**
 * Kind of state that a write may change. `rights`: who users are, and what they may do and see. `sessions`: which sessions have ended.
 * `content`: everything else that decides what a call answers.
 */
export type ChangeKind = 'content' | 'rights' | 'sessions'

export interface TableChanges {
  /** Empty for a table that decides no answer that is kept in memory. */
  kinds: readonly ChangeKind[]
  /** When it differs: deleting rows also deletes those of other tables. */
  deletes?: readonly ChangeKind[]
  /** Adding a row changes nothing for others. */
  ignoresInserts?: true
  /** Columns whose updates change nothing: they only record use or progress. */
  ignoredColumns?: readonly string[]
}

type StoredTable = Exclude<keyof Tables, 'permission_name' | 'permission_view' | 'subject' | 'tag' | 'task'>

/** All kinds. */
export const changeKinds: readonly ChangeKind[] = ['content', 'rights', 'sessions']
const rights: TableChanges = { kinds: ['rights'] }
const content: TableChanges = { kinds: ['content'] }
const nothing: TableChanges = { kinds: [] }

/**
 * The kinds of state that a write to each table changes. A table that is missing here changes everything. In PostgreSQL, triggers report the changes
 * to other servers, so a change here needs a migration (`0025-notified-changes.ts`).
 */
export const tableChanges: Readonly<Record<StoredTable, TableChanges>> = {
  user: {
    kinds: ['rights'],
    deletes: ['rights', 'sessions'],
    ignoredColumns: ['login_count', 'fail_login_count', 'last_login'],
  },
  role: rights,
  permission: rights,
  role_permission: rights,
  user_role: rights,
  user_group: rights,
  user_group_member: rights,
  user_group_role: rights,
  user_attribute: rights,
  group_attribute: rights,
  user_permission: rights,
  session: { kinds: ['sessions'], ignoresInserts: true, ignoredColumns: ['seen_at'] },
  api_key: { kinds: ['sessions'], ignoresInserts: true, ignoredColumns: ['last_used_on'] },
  row_rule: rights,
  row_rule_dataset: rights,
  row_rule_table: rights,
  row_rule_role: rights,
  row_rule_user: rights,
  row_rule_group: rights,

  database: { kinds: ['content'], deletes: ['content', 'rights'] },
  embedded_table: content,
  dataset: { kinds: ['content'], deletes: ['content', 'rights'] },
  dataset_column: content,
  dataset_metric: content,
  dataset_owner: content,
  dataset_owner_role: content,
  dataset_owner_group: content,
  chart: content,
  chart_owner: content,
  chart_owner_role: content,
  chart_owner_group: content,
  chart_viewer: content,
  chart_viewer_role: content,
  chart_viewer_group: content,
  chart_restriction: content,
  dashboard: content,
  dashboard_owner: content,
  dashboard_owner_role: content,
  dashboard_owner_group: content,
  dashboard_role: content,
  dashboard_viewer: content,
  dashboard_viewer_group: content,
  dashboard_restriction: content,
  dashboard_file: content,
  dashboard_chart: content,
  favorite: content,
  saved_query: { kinds: ['content'], ignoredColumns: ['rows', 'last_run', 'sql_tables'] },
  saved_query_tag: content,
  chart_tag: content,
  dashboard_tag: content,
  dataset_tag: content,
  custom_tag: content,
  css_template: content,
  theme: content,
  annotation_layer: content,
  annotation: content,
  embedded_dashboard: content,
  filter_set: content,
  version: content,
  // A chart shows a run that has succeeded, and only its owner changes after that.
  query: {
    kinds: ['content'],
    ignoresInserts: true,
    ignoredColumns: [
      'tab_name',
      'sql_editor_id',
      'executed_sql',
      'select_sql',
      'limit',
      'limiting_factor',
      'status',
      'progress',
      'rows',
      'error_message',
      'results_key',
      'start_time',
      'end_time',
      'extra_json',
      'tracking_url',
      'changed_on',
      'sql_tables',
      'owner',
    ],
  },

  one_time_link: nothing,
  invitation: nothing,
  invitation_role: nothing,
  invitation_group: nothing,
  second_factor: nothing,
  recovery_code: nothing,
  user_registration: nothing,
  access_request: nothing,
  // Pages and images read it again each time; it changes no rows.
  dynamic_plugin: nothing,
  tab_state: nothing,
  tab_table: nothing,
  query_schedule: nothing,
  server: nothing,
  key_value: nothing,
  job: nothing,
  // Lists of reports are read each time.
  report: nothing,
  report_owner: nothing,
  report_recipient: nothing,
  report_run: nothing,
  report_delivery: nothing,
  report_file: nothing,
  notification: nothing,
  trash: nothing,
  trash_owner: nothing,
  trash_owner_role: nothing,
  trash_owner_group: nothing,
  log: nothing,
}

const readsOnly =
  /^\s*(?:select|values|explain|show|begin|start|commit|rollback|savepoint|release|set|reset|listen|unlisten|pragma)\b/i
const writesRows = /^\s*(?:(insert)\s+into|(update)|(delete)\s+from)\s+(?:"(\w+)"|(\w+))(?!\s*\.)/i
const writesSomewhere = /\b(?:insert|update|delete|merge)\b/i
const hasMoreStatements = /;\s*\S/
const updatesExisting = /\bon\s+conflict\b.*\bdo\s+update\b/is
/** A name that is assigned. Comparisons and strings may look like one: that only counts a change too many. */
const assigned = /(?:\bset|,)\s*"?(\w+)"?\s*=/gi
const assignsRow = /\bset\s*\(/i

const none: readonly ChangeKind[] = []

/** Returns what a statement may change; everything when its text does not show that. */
function parseChanges(text: string): readonly ChangeKind[] {
  if (hasMoreStatements.test(text) && writesSomewhere.test(text)) return changeKinds
  if (readsOnly.test(text)) return none
  if (/^\s*with\b/i.test(text)) return writesSomewhere.test(text) ? changeKinds : none
  const [, isInsert, isUpdate, , quoted, bare] = writesRows.exec(text) ?? []
  const name = quoted ?? bare?.toLowerCase() ?? ''
  const rule = (Object.hasOwn(tableChanges, name) ? tableChanges[name as StoredTable] : undefined) ?? {
    kinds: changeKinds,
  }
  if (isInsert) return rule.ignoresInserts && !updatesExisting.test(text) ? none : rule.kinds
  if (!isUpdate) return rule.deletes ?? rule.kinds
  const { ignoredColumns = [] } = rule
  const columns = [...text.matchAll(assigned)].map(([, column]) => column ?? '')
  const isIgnored =
    columns.length > 0 && !assignsRow.test(text) && columns.every((column) => ignoredColumns.includes(column))
  return isIgnored ? none : rule.kinds
}

const maxTexts = 1000
const maxTextLength = 8192
const changesByText = new Map<string, readonly ChangeKind[]>()

/** Returns what a statement may change when it is committed. */
export function changesOf(text: string): readonly ChangeKind[] {
  const known = changesByText.get(text)
  if (known) return known
  const kinds = parseChanges(text)
  if (changesByText.size >= maxTexts) changesByText.clear()
  if (text.length <= maxTextLength) changesByText.set(text, kinds)
  return kinds
}
