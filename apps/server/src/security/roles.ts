import type { PermissionPair, RoleFixation } from '@parquetry/model'

/** Roles that get a pair: Admin gets all grades; `gamma` is for Gamma and Alpha, `alpha` for Alpha, `sql` for sql_lab. */
type Grade = 'gamma' | 'alpha' | 'sql' | 'admin'

const readWrite = ['can_read', 'can_write'] as const

/** All permission pairs except those on single objects. */
const table: readonly (readonly [Grade, view: string, names: readonly string[]])[] = [
  ['gamma', 'Chart', ['can_read', 'can_write', 'can_export', 'can_tag']],
  ['gamma', 'Dashboard', ['can_read', 'can_write', 'can_export', 'can_get_embedded', 'can_delete_embedded']],
  [
    'gamma',
    'Dashboard',
    ['can_view_query', 'can_view_chart_as_table', 'can_drill', 'can_tag', 'can_cache_dashboard_screenshot'],
  ],
  ['admin', 'Dashboard', ['can_set_embedded']],
  ['gamma', 'Dataset', ['can_read']],
  ['alpha', 'Dataset', ['can_write', 'can_export', 'can_duplicate', 'can_get_or_create_dataset']],
  ['gamma', 'Database', ['can_read']],
  ['admin', 'Database', ['can_write', 'can_export']],
  ['alpha', 'Database', ['can_upload', 'can_csv_upload', 'can_excel_upload', 'can_columnar_upload']],
  ['alpha', 'CsvToDatabaseView', ['can_this_form_get', 'can_this_form_post']],
  ['alpha', 'ExcelToDatabaseView', ['can_this_form_get', 'can_this_form_post']],
  ['alpha', 'ColumnarToDatabaseView', ['can_this_form_get', 'can_this_form_post']],
  ['gamma', 'Datasource', ['can_get', 'can_external_metadata', 'can_external_metadata_by_name']],
  ['gamma', 'Datasource', ['can_samples', 'can_get_column_values', 'can_validate_expression']],
  ['alpha', 'Datasource', ['can_save']],
  ['sql', 'SQLLab', ['can_read', 'can_execute_sql_query', 'can_get_results', 'can_estimate_query_cost']],
  ['sql', 'SQLLab', ['can_export_csv', 'can_format_sql']],
  ['sql', 'Query', readWrite],
  ['sql', 'SavedQuery', ['can_read', 'can_write', 'can_export']],
  ['sql', 'TabStateView', ['can_get', 'can_post', 'can_put', 'can_delete', 'can_activate']],
  ['sql', 'TabStateView', ['can_delete_query', 'can_migrate_query']],
  ['sql', 'TableSchemaView', ['can_post', 'can_delete', 'can_expanded']],
  ['sql', 'SqlLabPermalinkRestApi', readWrite],
  ['sql', 'KV', ['can_store', 'can_get_value']],
  ['gamma', 'Explore', readWrite],
  ['gamma', 'ExploreFormDataRestApi', readWrite],
  ['gamma', 'ExplorePermalinkRestApi', readWrite],
  ['gamma', 'DashboardFilterStateRestApi', readWrite],
  ['gamma', 'DashboardPermalinkRestApi', readWrite],
  ['gamma', 'FilterSets', ['can_list', 'can_add', 'can_edit', 'can_delete']],
  ['alpha', 'Annotation', readWrite],
  ['alpha', 'CssTemplate', readWrite],
  ['gamma', 'Theme', ['can_read']],
  ['alpha', 'Theme', ['can_write', 'can_mulexport']],
  ['admin', 'Theme', ['can_set_system_default', 'can_set_system_dark']],
  ['admin', 'Theme', ['can_unset_system_default', 'can_unset_system_dark']],
  ['alpha', 'ReportSchedule', readWrite],
  ['gamma', 'Tag', ['can_read', 'can_write', 'can_bulk_create']],
  ['gamma', 'Task', readWrite],
  ['gamma', 'Tags', ['can_list']],
  ['gamma', 'TagView', ['can_tags']],
  ['admin', 'RowLevelSecurity', readWrite],
  ['admin', 'Row Level Security', readWrite],
  ['gamma', 'EmbeddedDashboard', ['can_read']],
  ['gamma', 'AdvancedDataType', ['can_read']],
  ['gamma', 'AvailableDomains', ['can_read']],
  ['gamma', 'DynamicPlugin', ['can_read']],
  ['admin', 'DynamicPlugin', ['can_write']],
  ['admin', 'Log', readWrite],
  ['gamma', 'Log', ['can_recent_activity']],
  ['gamma', 'Superset', ['can_csv', 'can_explore', 'can_explore_json', 'can_slice', 'can_dashboard', 'can_log']],
  ['gamma', 'Superset', ['can_dashboard_permalink', 'can_share_dashboard', 'can_share_chart', 'can_profile']],
  ['gamma', 'Superset', ['can_save_dash', 'can_copy_dash', 'can_favstar', 'can_datasources', 'can_queries']],
  ['gamma', 'Superset', ['can_fetch_datasource_metadata', 'can_recent_activity', 'can_read']],
  ['alpha', 'Superset', ['can_import_dashboards']],
  ['sql', 'Superset', ['can_sqllab', 'can_sqllab_history', 'can_sqllab_viz']],
  ['admin', 'Superset', ['can_warm_up_cache']],
  ['admin', 'CacheRestApi', ['can_invalidate']],
  ['gamma', 'Api', ['can_query', 'can_query_form_data', 'can_time_range']],
  ['gamma', 'SecurityRestApi', ['can_read']],
  ['admin', 'SecurityRestApi', ['can_grant_guest_token']],
  ['gamma', 'ApiKey', ['can_list', 'can_create', 'can_get', 'can_revoke']],
  ['alpha', 'ImportExportRestApi', ['can_export', 'can_import_']],
  ['gamma', 'AsyncEventsRestApi', ['can_list']],
  ['gamma', 'MenuApi', ['can_get']],
  ['gamma', 'OpenApi', ['can_get']],
  ['gamma', 'SwaggerView', ['can_show']],
  ['admin', 'Role', ['can_get_list', 'can_get', 'can_info', 'can_post', 'can_put', 'can_delete']],
  ['admin', 'Role', ['can_list_role_permissions', 'can_add_role_permissions']],
  ['admin', 'Role', ['can_update_role_users', 'can_update_role_groups']],
  ['admin', 'RoleRestAPI', ['can_list_roles']],
  ['admin', 'Permission', ['can_get_list', 'can_get', 'can_info']],
  ['admin', 'ViewMenu', ['can_get_list', 'can_get', 'can_info', 'can_post', 'can_put', 'can_delete']],
  ['admin', 'PermissionViewMenu', ['can_get_list', 'can_get', 'can_info', 'can_post', 'can_put', 'can_delete']],
  ['admin', 'UserDBModelView', ['can_list', 'can_show', 'can_add', 'can_edit', 'can_delete']],
  ['admin', 'RoleModelView', ['can_list', 'can_show', 'can_add', 'can_edit', 'can_delete']],
  ['admin', 'User', ['can_get_list', 'can_get', 'can_info', 'can_post', 'can_put', 'can_delete']],
  ['admin', 'Group', ['can_get_list', 'can_get', 'can_info', 'can_post', 'can_put', 'can_delete']],
  ['admin', 'Subject', ['can_read']],
  ['admin', 'UserRegistrationsRestAPI', ['can_list', 'can_show', 'can_add', 'can_edit', 'can_delete']],
  ['gamma', 'CurrentUserRestApi', readWrite],
  ['admin', 'security', ['can_read']],
  ['alpha', 'all_datasource_access', ['all_datasource_access']],
  ['alpha', 'all_database_access', ['all_database_access']],
  ['admin', 'all_query_access', ['all_query_access']],
  ...(['Home', 'Dashboards', 'Charts', 'Datasets', 'Data', 'Databases', 'Plugins', 'Tags'] as const).map(menu('gamma')),
  ...(['Manage', 'Alerts & Report', 'Annotation Layers', 'CSS Templates', 'Themes', 'Import Dashboards'] as const).map(
    menu('alpha'),
  ),
  ...(['SQL Lab', 'SQL Editor', 'Saved Queries', 'Query Search'] as const).map(menu('sql')),
  ...(
    [
      'Security',
      'List Users',
      'List Roles',
      'List Groups',
      'User Registrations',
      'Row Level Security',
      'Action Log',
    ] as const
  ).map(menu('admin')),
]

function menu(grade: Grade) {
  return (view: string) => [grade, view, ['menu_access']] as const
}

const listPairs = (...grades: Grade[]): PermissionPair[] =>
  table
    .filter(([grade]) => grades.includes(grade))
    .flatMap(([, view, names]) => names.map((name) => [name, view] as const))

export const allPairs: readonly PermissionPair[] = listPairs('gamma', 'alpha', 'sql', 'admin')

/** The built-in roles. Public stays as administrators configured it, unless PUBLIC_ROLE_LIKE names another role. */
export const builtInRoles: Readonly<Record<string, readonly PermissionPair[]>> = {
  Admin: allPairs,
  Alpha: listPairs('gamma', 'alpha'),
  Gamma: listPairs('gamma'),
  sql_lab: [...listPairs('sql'), ['can_csv', 'Superset'], ['can_read', 'Superset'], ['can_read', 'Database']],
  Public: [],
}

export const isBuiltInRole = (name: string): boolean => Object.hasOwn(builtInRoles, name)

/** Why the feature permissions of a role cannot be changed; null if they can. */
export function findFixation(name: string, publicRoleLike: string | null): RoleFixation | null {
  if (!isBuiltInRole(name)) return null
  if (name !== 'Public') return 'start'
  return publicRoleLike === null ? null : 'public_role_like'
}
