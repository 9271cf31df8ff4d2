import type { Can } from './route.ts'

type PathRules = Readonly<Record<string, Can>>

/**
 * Every page by name, with its addresses and required permissions; links use the first address. The server and the web router
 * both read this table, so that one line adds a page to both. A trailing slash makes no difference.
 */
export const pagePaths = {
  home: {
    '/superset/welcome/': 'signed-in',
    '/': 'signed-in',
    '/welcome/': 'signed-in',
  },
  signIn: { '/login/': 'anyone' },
  password: { '/login/link/:token/': 'anyone' },
  invitation: { '/invitation/:token/': 'anyone' },
  dashboards: { '/dashboard/list/': ['can_read', 'Dashboard'] },
  newDashboard: { '/dashboard/new/': ['can_write', 'Dashboard'] },
  dashboard: {
    '/superset/dashboard/:name/': ['can_dashboard', 'Superset'],
    '/dashboard/:name/': ['can_dashboard', 'Superset'],
  },
  dashboardPermalink: {
    '/superset/dashboard/p/:key/': ['can_dashboard_permalink', 'Superset'],
    '/dashboard/p/:key/': ['can_dashboard_permalink', 'Superset'],
  },
  charts: { '/chart/list/': ['can_read', 'Chart'] },
  suggestions: { '/chart/suggestions/': ['can_write', 'Chart'], '/chart/add': ['can_write', 'Chart'] },
  explore: {
    '/explore/': ['can_explore', 'Superset'],
    '/superset/explore/': ['can_explore', 'Superset'],
    '/superset/explore/p/:permalink/': ['can_explore', 'Superset'],
    '/explore/p/:permalink/': ['can_explore', 'Superset'],
    '/superset/slice/:slice/': ['can_slice', 'Superset'],
    '/slice/:slice/': ['can_slice', 'Superset'],
  },
  sqlLab: {
    '/superset/sqllab/': ['can_sqllab', 'Superset'],
    '/sqllab/': ['can_sqllab', 'Superset'],
    '/sqllab/p/:key/': ['can_sqllab', 'Superset'],
  },
  queryHistory: {
    '/superset/sqllab/history/': ['can_sqllab_history', 'Superset'],
    '/sqllab/history/': ['can_sqllab_history', 'Superset'],
  },
  savedQueries: { '/savedqueryview/list/': ['can_read', 'SavedQuery'] },
  datasets: { '/tablemodelview/list/': ['can_read', 'Dataset'] },
  addDataset: { '/dataset/add/': ['can_write', 'Dataset'] },
  dataset: { '/dataset/:id': ['can_read', 'Dataset'], '/tablemodelview/edit/:id': ['can_read', 'Dataset'] },
  annotationLayers: { '/annotationlayer/list/': ['can_read', 'Annotation'] },
  annotations: { '/annotationlayer/:id/annotation/': ['can_read', 'Annotation'] },
  cssTemplates: { '/csstemplatemodelview/list/': ['can_read', 'CssTemplate'] },
  themes: { '/theme/list/': ['can_read', 'Theme'] },
  plugins: { '/dynamic-plugins/list/': ['can_write', 'DynamicPlugin'] },
  rowLevelSecurityRules: {
    '/rowlevelsecurity/list/': ['can_read', 'Row Level Security'],
    '/rowlevelsecurityfiltersmodelview/list/': ['can_read', 'Row Level Security'],
  },
  users: { '/users/': ['can_read', 'security'] },
  groups: { '/list_groups/': ['can_read', 'security'] },
  registrations: { '/registrations/': ['can_read', 'security'] },
  roles: { '/roles/': ['can_read', 'security'] },
  role: { '/roles/:id': ['can_read', 'security'] },
  tags: { '/superset/tags/': ['can_list', 'Tags'], '/tags/': ['can_list', 'Tags'] },
  tag: { '/superset/all_entities/': ['can_list', 'Tags'], '/all_entities/': ['can_list', 'Tags'] },
  alerts: { '/alert/list/': ['can_read', 'ReportSchedule'] },
  reports: { '/report/list/': ['can_read', 'ReportSchedule'] },
  reportLog: { '/report/:id/log/': ['can_read', 'ReportSchedule'] },
  reportChannels: { '/report/channels/': ['can_write', 'ReportSchedule'] },
  trash: { '/trash/': 'signed-in' },
  userInfo: { '/user_info/': 'signed-in' },
  apiReference: { '/swagger/v1': ['can_show', 'SwaggerView'] },
  databases: { '/databaseview/list/': ['can_read', 'Database'] },
  upload: {
    '/csvtodatabaseview/form': ['can_this_form_get', 'CsvToDatabaseView'],
    '/exceltodatabaseview/form': ['can_this_form_get', 'ExcelToDatabaseView'],
    '/columnartodatabaseview/form': ['can_this_form_get', 'ColumnarToDatabaseView'],
    '/upload/tables/': 'signed-in',
  },
} as const satisfies Record<string, PathRules>

export type PageName = keyof typeof pagePaths

/**
 * Calls that a page needs before it can show anything, with parameters from its address; the server lists them in the page. A
 * call with `:name(\d+)` is made only if the parameter is a number.
 */
export const preloadCalls: Partial<Record<PageName, readonly string[]>> = {
  dashboard: [
    '/api/v1/dashboard/:name',
    '/api/v1/dashboard/:name/charts',
    '/api/v1/dashboard/:name/datasets',
    '/api/v1/dashboard/favorite_status/?q=%21%28:name(\\d+)%29',
  ],
}

/** Returns the addresses of a page, starting with the one used in links. */
export const pathsOf = (page: PageName): string[] => Object.keys(pagePaths[page])

/** Addresses that redirect to another page, with their parameters inserted; the query string is passed on. */
export const pageRedirects: Readonly<Record<string, { to: string; can: Can }>> = {
  '/users/show/:id': { to: '/users/?edit=:id', can: ['can_read', 'security'] },
  '/superset/import_dashboards/': { to: '/dashboard/list/', can: ['can_import_dashboards', 'Superset'] },
  '/sqllab/my_queries/': { to: '/savedqueryview/list/', can: ['can_read', 'SavedQuery'] },
  '/savedqueryviewapi/show/:id': { to: '/superset/sqllab/?savedQueryId=:id', can: ['can_sqllab', 'Superset'] },
  '/explore/:type/:id/': {
    to: '/explore/?datasource_type=:type&datasource_id=:id',
    can: ['can_explore', 'Superset'],
  },
  '/superset/explore/:type/:id/': {
    to: '/explore/?datasource_type=:type&datasource_id=:id',
    can: ['can_explore', 'Superset'],
  },
}
