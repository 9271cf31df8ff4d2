import { sql } from 'kysely'
import type { Migration } from '../columns.ts'

const progressOfQueries = [
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
]

/** The kind of change that a write to a table makes: content, rights or sessions; and the columns whose updates are not reported. */
const tables: [kind: string, table: string, ignored?: string[]][] = [
  ['rights', 'user', ['login_count', 'fail_login_count', 'last_login']],
  ...[
    'role',
    'permission',
    'role_permission',
    'user_role',
    'user_group',
    'user_group_member',
    'user_group_role',
    'user_attribute',
    'group_attribute',
    'user_permission',
    'row_rule',
    'row_rule_dataset',
    'row_rule_table',
    'row_rule_role',
    'row_rule_user',
    'row_rule_group',
  ].map((table): [string, string] => ['rights', table]),
  ['sessions', 'session', ['seen_at']],
  ['sessions', 'api_key', ['last_used_on']],
  ['content', 'saved_query', ['rows', 'last_run', 'sql_tables']],
  ['content', 'query', progressOfQueries],
  ...[
    'database',
    'embedded_table',
    'dataset',
    'dataset_column',
    'dataset_metric',
    'dataset_owner',
    'chart',
    'chart_owner',
    'dashboard',
    'dashboard_owner',
    'dashboard_role',
    'dashboard_viewer',
    'dashboard_file',
    'dashboard_chart',
    'favorite',
    'saved_query_tag',
    'tag',
    'css_template',
    'annotation_layer',
    'annotation',
    'embedded_dashboard',
    'filter_set',
    'version',
  ].map((table): [string, string] => ['content', table]),
]

/** New rows of these tables change no answer. */
const ignoresInserts = ['session', 'api_key', 'query']

/**
 * PostgreSQL reports changes to all servers of a store when they are committed, so that servers can keep in memory what they have
 * read. SQLite needs nothing: the counter of its file shows that another process has written.
 */
export const notifiedChanges: Migration = async (db, { kind: database }) => {
  if (database === 'sqlite') return
  await sql`create function parquetry_report_change() returns trigger language plpgsql as $$
    begin
      perform pg_notify('parquetry_changes', tg_argv[0]);
      return null;
    end $$`.execute(db)
  for (const [kind, table, ignored] of tables) {
    const report = async (event: string, action = event) =>
      sql`create trigger ${sql.ref(`report_${event}`)} after ${sql.raw(action)} on ${sql.table(table)}
        for each statement execute function parquetry_report_change(${sql.lit(kind)})`.execute(db)
    if (!ignoresInserts.includes(table)) await report('insert')
    await report('delete')
    await report('truncate')
    if (!ignored) {
      await report('update')
      continue
    }
    const { rows } = await sql<{ column: string }>`select quote_ident(column_name) as column
      from information_schema.columns where table_schema = current_schema() and table_name = ${table}
        and column_name not in (${sql.join(ignored)})`.execute(db)
    await report('update', `update of ${rows.map(({ column }) => column).join(', ')}`)
  }
}
