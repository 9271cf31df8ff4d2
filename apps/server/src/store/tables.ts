import type {
  AccessRequestTable,
  UserTable,
  UserGroupTable,
  UserRegistrationTable,
  SubjectView,
  RoleTable,
  PermissionTable,
  PermissionNameView,
  SessionTable,
  OneTimeLinkTable,
  ApiKeyTable,
  InvitationTable,
  SecondFactorTable,
} from './tables/users.ts'
import type {
  DatabaseTable,
  EmbeddedTableTable,
  DatasetTable,
  DatasetColumnTable,
  DatasetMetricTable,
  RowLevelSecurityRuleTable,
  RowLevelSecurityTableTable,
} from './tables/data.ts'
import type {
  ChartTable,
  DashboardTable,
  DashboardFileTable,
  EmbeddedDashboardTable,
  FilterSetTable,
  CssTemplateTable,
  ThemeTable,
  DynamicPluginTable,
  AnnotationLayerTable,
  AnnotationTable,
  TrashTable,
  VersionTable,
} from './tables/documents.ts'
import type {
  SavedQueryTable,
  QueryTable,
  TabStateTable,
  TabTableTable,
  CustomTagTable,
  TagView,
  QueryScheduleTable,
} from './tables/sqllab.ts'
import type { KeyValueTable, JobTable, LogTable, TaskView } from './tables/system.ts'
import type {
  NotificationTable,
  ReportDeliveryTable,
  ReportFileTable,
  ReportRecipientTable,
  ReportRunTable,
  ReportTable,
} from './tables/reports.ts'

export type * from './tables/audit.ts'
export type * from './tables/users.ts'
export type * from './tables/data.ts'
export type * from './tables/documents.ts'
export type * from './tables/sqllab.ts'
export type * from './tables/system.ts'
export type * from './tables/reports.ts'

/**
 * The metadata store. It is written once for SQLite and PostgreSQL, so booleans are 0 or 1, times are ISO text in UTC without a
 * zone (`2026-01-31T10:42:00.123`, sortable), and documents are JSON text exactly as received.
 */
export interface Tables {
  user: UserTable
  role: RoleTable
  /** Permission pairs: permission name and view name. Those with an empty part are never granted. */
  permission: PermissionTable
  /** Names of permissions. */
  permission_name: PermissionNameView
  /** Views that permissions are granted on. */
  permission_view: PermissionNameView
  role_permission: { role_id: number; permission_id: number }
  user_role: { user_id: number; role_id: number }
  user_group: UserGroupTable
  user_group_member: { group_id: number; user_id: number }
  user_group_role: { group_id: number; role_id: number }
  /** Values that rules can compare with columns, such as the region of a user. A name can have several values. */
  user_attribute: { user_id: number; name: string; value: string }
  group_attribute: { group_id: number; name: string; value: string }
  subject: SubjectView
  user_registration: UserRegistrationTable
  /** Permissions on single objects that a user has without a role. */
  user_permission: { user_id: number; permission_id: number }
  session: SessionTable
  one_time_link: OneTimeLinkTable
  api_key: ApiKeyTable
  invitation: InvitationTable
  invitation_role: { invitation_id: number; role_id: number }
  invitation_group: { invitation_id: number; group_id: number }
  second_factor: SecondFactorTable
  recovery_code: { user_id: number; hash: string }
  database: DatabaseTable
  embedded_table: EmbeddedTableTable
  dataset: DatasetTable
  dataset_column: DatasetColumnTable
  dataset_metric: DatasetMetricTable
  dataset_owner: { dataset_id: number; user_id: number }
  dataset_owner_role: { dataset_id: number; role_id: number }
  dataset_owner_group: { dataset_id: number; group_id: number }
  row_rule: RowLevelSecurityRuleTable
  row_rule_dataset: { row_rule_id: number; dataset_id: number }
  row_rule_table: RowLevelSecurityTableTable
  row_rule_role: { row_rule_id: number; role_id: number }
  row_rule_user: { row_rule_id: number; user_id: number }
  row_rule_group: { row_rule_id: number; group_id: number }
  chart: ChartTable
  chart_owner: { chart_id: number; user_id: number }
  chart_owner_role: { chart_id: number; role_id: number }
  chart_owner_group: { chart_id: number; group_id: number }
  /** Users who may see a chart without access to its dataset; also roles and groups in the next two tables. */
  chart_viewer: { chart_id: number; user_id: number }
  chart_viewer_role: { chart_id: number; role_id: number }
  chart_viewer_group: { chart_id: number; group_id: number }
  /** Charts that only viewers, owners and administrators see. */
  chart_restriction: { chart_id: number }
  dashboard: DashboardTable
  dashboard_owner: { dashboard_id: number; user_id: number }
  dashboard_owner_role: { dashboard_id: number; role_id: number }
  dashboard_owner_group: { dashboard_id: number; group_id: number }
  dashboard_role: { dashboard_id: number; role_id: number }
  /** Users who may open a published dashboard besides those with its roles or with access to its data. */
  dashboard_viewer: { dashboard_id: number; user_id: number }
  dashboard_viewer_group: { dashboard_id: number; group_id: number }
  /** Dashboards that only viewers, owners and administrators see; a viewer who is a role or group has the same effect. */
  dashboard_restriction: { dashboard_id: number }
  access_request: AccessRequestTable
  dashboard_file: DashboardFileTable
  dashboard_chart: { dashboard_id: number; chart_id: number }
  favorite: { user_id: number; kind: 'chart' | 'dashboard' | 'tag'; object_id: number; created_on: string }
  saved_query: SavedQueryTable
  query: QueryTable
  tab_state: TabStateTable
  tab_table: TabTableTable
  /** Tags that users write. */
  custom_tag: CustomTagTable
  /** All tags, with those that follow from type, owners and favorites. */
  tag: TagView
  saved_query_tag: { saved_query_id: number; tag_id: number }
  chart_tag: { chart_id: number; tag_id: number }
  dashboard_tag: { dashboard_id: number; tag_id: number }
  dataset_tag: { dataset_id: number; tag_id: number }
  query_schedule: QueryScheduleTable
  server: { id: string; seen_at: number }
  css_template: CssTemplateTable
  theme: ThemeTable
  dynamic_plugin: DynamicPluginTable
  annotation_layer: AnnotationLayerTable
  annotation: AnnotationTable
  embedded_dashboard: EmbeddedDashboardTable
  filter_set: FilterSetTable
  key_value: KeyValueTable
  job: JobTable
  /** View of the jobs with the names of `/api/v1/task/`. */
  task: TaskView
  report: ReportTable
  report_owner: { report_id: number; user_id: number }
  report_recipient: ReportRecipientTable
  report_run: ReportRunTable
  report_delivery: ReportDeliveryTable
  report_file: ReportFileTable
  notification: NotificationTable
  version: VersionTable
  trash: TrashTable
  trash_owner: { kind: string; object_id: number; user_id: number }
  trash_owner_role: { kind: string; object_id: number; role_id: number }
  trash_owner_group: { kind: string; object_id: number; group_id: number }
  log: LogTable
}
