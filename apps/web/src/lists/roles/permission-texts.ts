import type { Translate } from '@parquetry/ui'

export interface PermissionArea {
  id: string
  label: string
  /** Texts of the rights, by permission pair such as `can_read Chart`. */
  texts: ReadonlyMap<string, string>
  /** Entries of the menu that belong to the area. */
  menus: readonly string[]
}

/**
 * What the holders of feature permissions may do, by area. `scripts/permission-texts.test.ts` checks that all permissions of the
 * server are here.
 */
export const listPermissionAreas = (t: Translate): PermissionArea[] => [
  {
    id: 'dashboards',
    label: t('roles.area.dashboards', 'Dashboards'),
    texts: new Map([
      ['can_read Dashboard', t('roles.may.dashboard.canRead', 'See dashboards')],
      ['can_write Dashboard', t('roles.may.dashboard.canWrite', 'Create, change and delete own dashboards')],
      [
        'can_cache_dashboard_screenshot Dashboard',
        t('roles.may.dashboard.canCacheScreenshot', 'Request images of dashboards through the API'),
      ],
      ['can_export Dashboard', t('roles.may.dashboard.canExport', 'Export dashboards as files')],
      [
        'can_view_query Dashboard',
        t('roles.may.dashboard.canViewQuery', 'See the query behind a chart on a dashboard'),
      ],
      [
        'can_view_chart_as_table Dashboard',
        t('roles.may.dashboard.canViewChartAsTable', 'See the data of a chart on a dashboard as a table'),
      ],
      ['can_drill Dashboard', t('roles.may.dashboard.canDrill', 'Drill into charts on dashboards')],
      [
        'can_get_embedded Dashboard',
        t('roles.may.dashboard.canGetEmbedded', 'See how a dashboard is embedded in other pages'),
      ],
      ['can_set_embedded Dashboard', t('roles.may.dashboard.canSetEmbedded', 'Allow other pages to embed a dashboard')],
      [
        'can_delete_embedded Dashboard',
        t('roles.may.dashboard.canDeleteEmbedded', 'End the embedding of a dashboard in other pages'),
      ],
      [
        'can_read EmbeddedDashboard',
        t('roles.may.embeddedDashboard.canRead', 'Read the settings of embedded dashboards'),
      ],
      [
        'can_read DashboardFilterStateRestApi',
        t('roles.may.dashboardFilterStateRestApi.canRead', 'Open dashboards with stored filter values'),
      ],
      [
        'can_write DashboardFilterStateRestApi',
        t('roles.may.dashboardFilterStateRestApi.canWrite', 'Store filter values while using a dashboard'),
      ],
      [
        'can_read DashboardPermalinkRestApi',
        t('roles.may.dashboardPermalinkRestApi.canRead', 'Open permanent links to dashboards'),
      ],
      [
        'can_write DashboardPermalinkRestApi',
        t('roles.may.dashboardPermalinkRestApi.canWrite', 'Create permanent links to dashboards'),
      ],
      ['can_list FilterSets', t('roles.may.filterSets.canList', 'See filter sets of dashboards')],
      ['can_add FilterSets', t('roles.may.filterSets.canAdd', 'Save filter values as a filter set')],
      ['can_edit FilterSets', t('roles.may.filterSets.canEdit', 'Change filter sets')],
      ['can_delete FilterSets', t('roles.may.filterSets.canDelete', 'Delete filter sets')],
      ['can_dashboard Superset', t('roles.may.superset.canDashboard', 'Open the page of a dashboard')],
      [
        'can_dashboard_permalink Superset',
        t('roles.may.superset.canDashboardPermalink', 'Open the page of a permanent link to a dashboard'),
      ],
      ['can_save_dash Superset', t('roles.may.superset.canSaveDash', 'Save dashboards by calls of older clients')],
      ['can_copy_dash Superset', t('roles.may.superset.canCopyDash', 'Copy dashboards by calls of older clients')],
      ['can_share_dashboard Superset', t('roles.may.superset.canShareDashboard', 'Share links to dashboards')],
      ['can_import_dashboards Superset', t('roles.may.superset.canImportDashboards', 'Import dashboards from files')],
    ]),
    menus: ['Dashboards', 'Import Dashboards'],
  },
  {
    id: 'charts',
    label: t('roles.area.charts', 'Charts'),
    texts: new Map([
      ['can_read Chart', t('roles.may.chart.canRead', 'See charts')],
      ['can_write Chart', t('roles.may.chart.canWrite', 'Create, change and delete own charts')],
      ['can_export Chart', t('roles.may.chart.canExport', 'Export charts as files')],
      ['can_read Explore', t('roles.may.explore.canRead', 'Read what the chart editor needs')],
      ['can_write Explore', t('roles.may.explore.canWrite', 'Save from the chart editor')],
      [
        'can_read ExploreFormDataRestApi',
        t('roles.may.exploreFormDataRestApi.canRead', 'Open unsaved charts by their link'),
      ],
      [
        'can_write ExploreFormDataRestApi',
        t('roles.may.exploreFormDataRestApi.canWrite', 'Keep unsaved charts while editing'),
      ],
      [
        'can_read ExplorePermalinkRestApi',
        t('roles.may.explorePermalinkRestApi.canRead', 'Open permanent links to charts'),
      ],
      [
        'can_write ExplorePermalinkRestApi',
        t('roles.may.explorePermalinkRestApi.canWrite', 'Create permanent links to charts'),
      ],
      ['can_explore Superset', t('roles.may.superset.canExplore', 'Open the chart editor')],
      [
        'can_explore_json Superset',
        t('roles.may.superset.canExploreJson', 'Query chart data by calls of older clients'),
      ],
      ['can_slice Superset', t('roles.may.superset.canSlice', 'Open the page of a saved chart')],
      ['can_share_chart Superset', t('roles.may.superset.canShareChart', 'Share links to charts')],
      ['can_csv Superset', t('roles.may.superset.canCsv', 'Download data of charts and queries')],
      [
        'can_fetch_datasource_metadata Superset',
        t(
          'roles.may.superset.canFetchDatasourceMetadata',
          'Read columns and metrics of datasets by calls of older clients',
        ),
      ],
      ['can_query Api', t('roles.may.api.canQuery', 'Query data by calls of older clients')],
      [
        'can_query_form_data Api',
        t('roles.may.api.canQueryFormData', 'Read the settings of saved charts by calls of older clients'),
      ],
      ['can_time_range Api', t('roles.may.api.canTimeRange', 'Resolve texts such as “last week” to dates')],
      ['can_read Annotation', t('roles.may.annotation.canRead', 'See annotation layers and show them on charts')],
      ['can_write Annotation', t('roles.may.annotation.canWrite', 'Create, change and delete annotation layers')],
      ['can_read CssTemplate', t('roles.may.cssTemplate.canRead', 'Use CSS templates')],
      ['can_write CssTemplate', t('roles.may.cssTemplate.canWrite', 'Create, change and delete CSS templates')],
      ['can_read Theme', t('roles.may.theme.canRead', 'Use themes')],
      ['can_write Theme', t('roles.may.theme.canWrite', 'Create, change and delete themes')],
      ['can_mulexport Theme', t('roles.may.theme.canExport', 'Export themes')],
      [
        'can_set_system_default Theme',
        t('roles.may.theme.canSetDefault', 'Choose the theme of all pages in light mode'),
      ],
      ['can_set_system_dark Theme', t('roles.may.theme.canSetDark', 'Choose the theme of all pages in dark mode')],
      [
        'can_unset_system_default Theme',
        t('roles.may.theme.canUnsetDefault', 'Return all pages to the configured theme in light mode'),
      ],
      [
        'can_unset_system_dark Theme',
        t('roles.may.theme.canUnsetDark', 'Return all pages to the configured theme in dark mode'),
      ],
      ['can_read AdvancedDataType', t('roles.may.advancedDataType.canRead', 'Use advanced data types in filters')],
      ['can_read DynamicPlugin', t('roles.may.dynamicPlugin.canRead', 'Use chart types that were added')],
      ['can_write DynamicPlugin', t('roles.may.dynamicPlugin.canWrite', 'Add chart types')],
    ]),
    menus: ['Charts', 'Annotation Layers', 'CSS Templates', 'Themes', 'Plugins'],
  },
  {
    id: 'data',
    label: t('roles.area.data', 'Databases and datasets'),
    texts: new Map([
      [
        'all_database_access all_database_access',
        t('roles.may.allDatabaseAccess.allDatabaseAccess', 'Read all data of all databases'),
      ],
      [
        'all_datasource_access all_datasource_access',
        t('roles.may.allDatasourceAccess.allDatasourceAccess', 'Read all data of all datasets'),
      ],
      ['can_read Dataset', t('roles.may.dataset.canRead', 'See datasets')],
      ['can_write Dataset', t('roles.may.dataset.canWrite', 'Create, change and delete own datasets')],
      ['can_export Dataset', t('roles.may.dataset.canExport', 'Export datasets as files')],
      ['can_duplicate Dataset', t('roles.may.dataset.canDuplicate', 'Duplicate datasets')],
      [
        'can_get_or_create_dataset Dataset',
        t('roles.may.dataset.canGetOrCreateDataset', 'Create a dataset of a table if there is none'),
      ],
      [
        'can_get_drill_info Dataset',
        t('roles.may.dataset.canGetDrillInfo', 'Read which columns of a dataset to drill by'),
      ],
      ['can_get Datasource', t('roles.may.datasource.canGet', 'Read columns and metrics of datasets')],
      [
        'can_save Datasource',
        t('roles.may.datasource.canSave', 'Save columns and metrics of datasets by calls of older clients'),
      ],
      [
        'can_external_metadata Datasource',
        t('roles.may.datasource.canExternalMetadata', 'Compare the columns of a dataset with its table'),
      ],
      [
        'can_external_metadata_by_name Datasource',
        t('roles.may.datasource.canExternalMetadataByName', 'Read the columns of a table by its name'),
      ],
      ['can_samples Datasource', t('roles.may.datasource.canSamples', 'See sample rows of datasets')],
      [
        'can_get_column_values Datasource',
        t('roles.may.datasource.canGetColumnValues', 'See the values of a column to filter by'),
      ],
      [
        'can_validate_expression Datasource',
        t('roles.may.datasource.canValidateExpression', 'Check SQL expressions of charts'),
      ],
      ['can_read Database', t('roles.may.database.canRead', 'See the databases with accessible data')],
      ['can_write Database', t('roles.may.database.canWrite', 'Connect, change and delete databases')],
      ['can_export Database', t('roles.may.database.canExport', 'Export database connections as files')],
      ['can_upload Database', t('roles.may.database.canUpload', 'Upload files as tables')],
      ['can_csv_upload Database', t('roles.may.database.canCsvUpload', 'Upload CSV files as tables')],
      ['can_excel_upload Database', t('roles.may.database.canExcelUpload', 'Upload Excel files as tables')],
      ['can_columnar_upload Database', t('roles.may.database.canColumnarUpload', 'Upload Parquet files as tables')],
      [
        'can_this_form_get CsvToDatabaseView',
        t('roles.may.csvToDatabaseView.canThisFormGet', 'Open the page to upload CSV files'),
      ],
      [
        'can_this_form_post CsvToDatabaseView',
        t('roles.may.csvToDatabaseView.canThisFormPost', 'Upload CSV files by older pages'),
      ],
      [
        'can_this_form_get ExcelToDatabaseView',
        t('roles.may.excelToDatabaseView.canThisFormGet', 'Open the page to upload Excel files'),
      ],
      [
        'can_this_form_post ExcelToDatabaseView',
        t('roles.may.excelToDatabaseView.canThisFormPost', 'Upload Excel files by older pages'),
      ],
      [
        'can_this_form_get ColumnarToDatabaseView',
        t('roles.may.columnarToDatabaseView.canThisFormGet', 'Open the page to upload Parquet files'),
      ],
      [
        'can_this_form_post ColumnarToDatabaseView',
        t('roles.may.columnarToDatabaseView.canThisFormPost', 'Upload Parquet files by older pages'),
      ],
      ['can_datasources Superset', t('roles.may.superset.canDatasources', 'List datasets by calls of older clients')],
    ]),
    menus: ['Datasets', 'Data', 'Databases'],
  },
  {
    id: 'sql',
    label: t('roles.area.sql', 'SQL Lab'),
    texts: new Map([
      ['can_sqllab Superset', t('roles.may.superset.canSqllab', 'Open SQL Lab')],
      ['can_sqllab_history Superset', t('roles.may.superset.canSqllabHistory', 'Open the page of the query history')],
      ['can_sqllab_viz Superset', t('roles.may.superset.canSqllabViz', 'Make charts of query results')],
      ['can_read SQLLab', t('roles.may.sQLLab.canRead', 'Read what SQL Lab needs')],
      ['can_execute_sql_query SQLLab', t('roles.may.sQLLab.canExecuteSqlQuery', 'Run SQL queries')],
      ['can_get_results SQLLab', t('roles.may.sQLLab.canGetResults', 'See results of own queries')],
      ['can_export_csv SQLLab', t('roles.may.sQLLab.canExportCsv', 'Download query results')],
      ['can_estimate_query_cost SQLLab', t('roles.may.sQLLab.canEstimateQueryCost', 'Estimate the cost of queries')],
      ['can_format_sql SQLLab', t('roles.may.sQLLab.canFormatSql', 'Format SQL')],
      ['can_read Query', t('roles.may.query.canRead', 'See own past queries')],
      ['can_write Query', t('roles.may.query.canWrite', 'Stop own queries')],
      [
        'can_queries Superset',
        t('roles.may.superset.canQueries', 'Follow own running queries by calls of older clients'),
      ],
      [
        'all_query_access all_query_access',
        t('roles.may.allQueryAccess.allQueryAccess', 'See the past queries of all users'),
      ],
      ['can_read SavedQuery', t('roles.may.savedQuery.canRead', 'See own saved queries')],
      ['can_write SavedQuery', t('roles.may.savedQuery.canWrite', 'Save, change and delete own queries')],
      ['can_export SavedQuery', t('roles.may.savedQuery.canExport', 'Export own saved queries as files')],
      ['can_get TabStateView', t('roles.may.tabStateView.canGet', 'Open tabs of SQL Lab on other devices')],
      ['can_post TabStateView', t('roles.may.tabStateView.canPost', 'Keep new tabs of SQL Lab on the server')],
      ['can_put TabStateView', t('roles.may.tabStateView.canPut', 'Keep changes of tabs on the server')],
      ['can_delete TabStateView', t('roles.may.tabStateView.canDelete', 'Close tabs of SQL Lab')],
      ['can_activate TabStateView', t('roles.may.tabStateView.canActivate', 'Remember the open tab')],
      [
        'can_delete_query TabStateView',
        t('roles.may.tabStateView.canDeleteQuery', 'Remove queries from the history of a tab'),
      ],
      [
        'can_migrate_query TabStateView',
        t('roles.may.tabStateView.canMigrateQuery', 'Take over queries of older tabs'),
      ],
      ['can_post TableSchemaView', t('roles.may.tableSchemaView.canPost', 'Keep tables open in SQL Lab')],
      ['can_delete TableSchemaView', t('roles.may.tableSchemaView.canDelete', 'Close tables in SQL Lab')],
      [
        'can_expanded TableSchemaView',
        t('roles.may.tableSchemaView.canExpanded', 'Remember which tables are expanded'),
      ],
      [
        'can_read SqlLabPermalinkRestApi',
        t('roles.may.sqlLabPermalinkRestApi.canRead', 'Open permanent links to queries'),
      ],
      [
        'can_write SqlLabPermalinkRestApi',
        t('roles.may.sqlLabPermalinkRestApi.canWrite', 'Create permanent links to queries'),
      ],
      ['can_store KV', t('roles.may.kV.canStore', 'Store links by calls of older clients')],
      ['can_get_value KV', t('roles.may.kV.canGetValue', 'Open stored links by calls of older clients')],
    ]),
    menus: ['SQL Lab', 'SQL Editor', 'Saved Queries', 'Query Search'],
  },
  {
    id: 'reports',
    label: t('roles.area.reports', 'Reports and tags'),
    texts: new Map([
      ['can_read ReportSchedule', t('roles.may.reportSchedule.canRead', 'See own alerts and reports')],
      [
        'can_write ReportSchedule',
        t('roles.may.reportSchedule.canWrite', 'Create, change and delete own alerts and reports'),
      ],
      ['can_read Tag', t('roles.may.tag.canRead', 'See tags')],
      ['can_write Tag', t('roles.may.tag.canWrite', 'Create tags, and change and delete own tags')],
      ['can_bulk_create Tag', t('roles.may.tag.canBulkCreate', 'Tag several objects at once')],
      ['can_list Tags', t('roles.may.tags.canList', 'Open the pages of tags')],
      ['can_tags TagView', t('roles.may.tagView.canTags', 'List tags by calls of older clients')],
      ['can_tag Chart', t('roles.may.chart.canTag', 'Change the tags of own charts')],
      ['can_tag Dashboard', t('roles.may.dashboard.canTag', 'Change the tags of own dashboards')],
    ]),
    menus: ['Alerts & Report', 'Tags'],
  },
  {
    id: 'security',
    label: t('roles.area.security', 'Users and security'),
    texts: new Map([
      ['can_read security', t('roles.may.security.canRead', 'Open the pages of users, roles and groups')],
      ['can_get_list User', t('roles.may.user.canGetList', 'List users')],
      ['can_get User', t('roles.may.user.canGet', 'See the details of a user')],
      ['can_info User', t('roles.may.user.canInfo', 'Read which fields users have')],
      ['can_post User', t('roles.may.user.canPost', 'Create users')],
      ['can_put User', t('roles.may.user.canPut', 'Change and deactivate users')],
      ['can_delete User', t('roles.may.user.canDelete', 'Delete users')],
      ['can_get_list Group', t('roles.may.group.canGetList', 'List groups')],
      ['can_get Group', t('roles.may.group.canGet', 'See the details of a group')],
      ['can_info Group', t('roles.may.group.canInfo', 'Read which fields groups have')],
      ['can_post Group', t('roles.may.group.canPost', 'Create groups')],
      ['can_put Group', t('roles.may.group.canPut', 'Change groups and their members')],
      ['can_delete Group', t('roles.may.group.canDelete', 'Delete groups')],
      ['can_get_list Role', t('roles.may.role.canGetList', 'List roles')],
      ['can_get Role', t('roles.may.role.canGet', 'See the details of a role and who holds it')],
      ['can_info Role', t('roles.may.role.canInfo', 'Read which fields roles have')],
      ['can_post Role', t('roles.may.role.canPost', 'Create roles')],
      ['can_put Role', t('roles.may.role.canPut', 'Rename roles')],
      ['can_delete Role', t('roles.may.role.canDelete', 'Delete roles')],
      ['can_list_role_permissions Role', t('roles.may.role.canListRolePermissions', 'See the permissions of roles')],
      ['can_add_role_permissions Role', t('roles.may.role.canAddRolePermissions', 'Change the permissions of roles')],
      [
        'can_update_role_users Role',
        t('roles.may.role.canUpdateRoleUsers', 'Give roles to users and groups and take them away'),
      ],
      ['can_update_role_groups Role', t('roles.may.role.canUpdateRoleGroups', 'Replace the groups of roles')],
      [
        'can_list_roles RoleRestAPI',
        t('roles.may.roleRestAPI.canListRoles', 'Search roles with their users and permissions'),
      ],
      ['can_get_list Permission', t('roles.may.permission.canGetList', 'List the names of permissions')],
      ['can_get Permission', t('roles.may.permission.canGet', 'See the name of a permission')],
      ['can_info Permission', t('roles.may.permission.canInfo', 'Read which fields the names of permissions have')],
      ['can_get_list ViewMenu', t('roles.may.viewMenu.canGetList', 'List what permissions are granted on')],
      ['can_get ViewMenu', t('roles.may.viewMenu.canGet', 'See what a permission is granted on')],
      ['can_info ViewMenu', t('roles.may.viewMenu.canInfo', 'Read which fields these names have')],
      ['can_post ViewMenu', t('roles.may.viewMenu.canPost', 'Add names that permissions are granted on')],
      ['can_put ViewMenu', t('roles.may.viewMenu.canPut', 'Rename added names')],
      ['can_delete ViewMenu', t('roles.may.viewMenu.canDelete', 'Delete added names')],
      ['can_get_list PermissionViewMenu', t('roles.may.permissionViewMenu.canGetList', 'List permissions')],
      ['can_get PermissionViewMenu', t('roles.may.permissionViewMenu.canGet', 'See a permission')],
      ['can_info PermissionViewMenu', t('roles.may.permissionViewMenu.canInfo', 'Read which fields permissions have')],
      ['can_post PermissionViewMenu', t('roles.may.permissionViewMenu.canPost', 'Add permissions')],
      ['can_put PermissionViewMenu', t('roles.may.permissionViewMenu.canPut', 'Change added permissions')],
      ['can_delete PermissionViewMenu', t('roles.may.permissionViewMenu.canDelete', 'Delete added permissions')],
      ['can_read Subject', t('roles.may.subject.canRead', 'List users, groups and roles to share with')],
      ['can_read Row Level Security', t('roles.may.rowLevelSecurity.canRead', 'See row-level security rules')],
      [
        'can_write Row Level Security',
        t('roles.may.rowLevelSecurity.canWrite', 'Create, change and delete row-level security rules'),
      ],
      [
        'can_read RowLevelSecurity',
        t('roles.may.rowLevelSecurityApi.canRead', 'See row-level security rules by calls of older clients'),
      ],
      [
        'can_write RowLevelSecurity',
        t('roles.may.rowLevelSecurityApi.canWrite', 'Change row-level security rules by calls of older clients'),
      ],
      ['can_read SecurityRestApi', t('roles.may.securityRestApi.canRead', 'Get the token that protects changes')],
      [
        'can_grant_guest_token SecurityRestApi',
        t('roles.may.securityRestApi.canGrantGuestToken', 'Let visitors of other pages see embedded dashboards'),
      ],
      ['can_list ApiKey', t('roles.may.apiKey.canList', 'See own API keys')],
      ['can_get ApiKey', t('roles.may.apiKey.canGet', 'See the details of an own API key')],
      ['can_create ApiKey', t('roles.may.apiKey.canCreate', 'Create API keys')],
      ['can_revoke ApiKey', t('roles.may.apiKey.canRevoke', 'Revoke own API keys')],
      [
        'can_list UserRegistrationsRestAPI',
        t('roles.may.userRegistrationsRestAPI.canList', 'See registrations of new users'),
      ],
      [
        'can_show UserRegistrationsRestAPI',
        t('roles.may.userRegistrationsRestAPI.canShow', 'See the details of a registration'),
      ],
      [
        'can_add UserRegistrationsRestAPI',
        t('roles.may.userRegistrationsRestAPI.canAdd', 'Add registrations of new users'),
      ],
      [
        'can_edit UserRegistrationsRestAPI',
        t('roles.may.userRegistrationsRestAPI.canEdit', 'Change registrations of new users'),
      ],
      [
        'can_delete UserRegistrationsRestAPI',
        t('roles.may.userRegistrationsRestAPI.canDelete', 'Delete registrations of new users'),
      ],
      ['can_list UserDBModelView', t('roles.may.userDBModelView.canList', 'List users in pages for older clients')],
      ['can_show UserDBModelView', t('roles.may.userDBModelView.canShow', 'See users in pages for older clients')],
      ['can_add UserDBModelView', t('roles.may.userDBModelView.canAdd', 'Create users by older clients')],
      ['can_edit UserDBModelView', t('roles.may.userDBModelView.canEdit', 'Change users by older clients')],
      ['can_delete UserDBModelView', t('roles.may.userDBModelView.canDelete', 'Delete users by older clients')],
      ['can_list RoleModelView', t('roles.may.roleModelView.canList', 'List roles in pages for older clients')],
      ['can_show RoleModelView', t('roles.may.roleModelView.canShow', 'See roles in pages for older clients')],
      ['can_add RoleModelView', t('roles.may.roleModelView.canAdd', 'Create roles by older clients')],
      ['can_edit RoleModelView', t('roles.may.roleModelView.canEdit', 'Change which roles may read a database')],
      ['can_delete RoleModelView', t('roles.may.roleModelView.canDelete', 'Delete roles by older clients')],
    ]),
    menus: ['Security', 'List Users', 'List Roles', 'List Groups', 'Row Level Security', 'User Registrations'],
  },
  {
    id: 'system',
    label: t('roles.area.system', 'Everything else'),
    texts: new Map([
      ['can_read Log', t('roles.may.log.canRead', 'See the action log')],
      ['can_write Log', t('roles.may.log.canWrite', 'Add entries to the action log')],
      ['can_recent_activity Log', t('roles.may.log.canRecentActivity', 'See own recent activity')],
      [
        'can_recent_activity Superset',
        t('roles.may.superset.canRecentActivity', 'See own recent activity by calls of older clients'),
      ],
      ['can_read Superset', t('roles.may.superset.canRead', 'Read general settings')],
      ['can_read CurrentUserRestApi', t('roles.may.currentUserRestApi.canRead', 'See the own account')],
      ['can_write CurrentUserRestApi', t('roles.may.currentUserRestApi.canWrite', 'Change own name and password')],
      ['can_log Superset', t('roles.may.superset.canLog', 'Record own actions')],
      ['can_profile Superset', t('roles.may.superset.canProfile', 'Open profiles of users')],
      ['can_favstar Superset', t('roles.may.superset.canFavstar', 'Mark favorites by calls of older clients')],
      [
        'can_warm_up_cache Superset',
        t('roles.may.superset.canWarmUpCache', 'Fill the cache by calls of older clients'),
      ],
      ['can_invalidate CacheRestApi', t('roles.may.cacheRestApi.canInvalidate', 'Remove cached results')],
      ['can_export ImportExportRestApi', t('roles.may.importExportRestApi.canExport', 'Export everything as one file')],
      [
        'can_import_ ImportExportRestApi',
        t('roles.may.importExportRestApi.canImport', 'Import dashboards, charts, datasets and databases together'),
      ],
      [
        'can_list AsyncEventsRestApi',
        t('roles.may.asyncEventsRestApi.canList', 'Receive results of background queries'),
      ],
      ['can_read Task', t('roles.may.task.canRead', 'See own background work')],
      ['can_write Task', t('roles.may.task.canWrite', 'Stop own background work')],
      ['can_read AvailableDomains', t('roles.may.availableDomains.canRead', 'Read the domains of this server')],
      ['can_get MenuApi', t('roles.may.menuApi.canGet', 'Read the entries of the menu')],
      ['can_get OpenApi', t('roles.may.openApi.canGet', 'Read the description of the API')],
      ['can_show SwaggerView', t('roles.may.swaggerView.canShow', 'Open the description of the API as a page')],
    ]),
    menus: ['Home', 'Manage', 'Action Log'],
  },
]

export interface PermissionPair {
  id: number
  name: string
  view: string
}

export interface DescribedPermission extends PermissionPair {
  text: string
}

export interface DescribedArea {
  id: string
  label: string
  pairs: DescribedPermission[]
}

/** Groups feature permissions by area, in the order of the texts; those without a text are last, under their own names. */
export function describePermissions(t: Translate, pairs: readonly PermissionPair[]): DescribedArea[] {
  const rest = new Map(pairs.map((pair) => [`${pair.name} ${pair.view}`, pair]))
  const take = (key: string, text: string): DescribedPermission[] => {
    const pair = rest.get(key)
    rest.delete(key)
    return pair ? [{ ...pair, text }] : []
  }
  const described = listPermissionAreas(t).map(({ id, label, texts, menus }) => ({
    id,
    label,
    pairs: [
      ...[...texts].flatMap(([key, text]) => take(key, text)),
      ...menus.flatMap((menu) =>
        take(`menu_access ${menu}`, t('roles.may.menu', 'See “{menu}” in the menu', { menu })),
      ),
    ],
  }))
  const others = [...rest.values()].map((pair) => ({
    ...pair,
    text: `${pair.name.replaceAll('_', ' ')} · ${pair.view}`,
  }))
  return [...described, { id: 'added', label: t('roles.area.added', 'Added permissions'), pairs: others }].filter(
    (area) => area.pairs.length > 0,
  )
}
