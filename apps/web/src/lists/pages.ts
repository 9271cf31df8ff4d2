import { definePage, type Page, type RawSearch } from '../shared/page.ts'

/** Lists read their own state from the address (list-state.ts). */
const list = (page: Omit<Page<RawSearch>, 'frame' | 'search'>): Page<RawSearch> =>
  definePage<RawSearch>({ ...page, frame: 'browse', search: (raw) => raw })

export const dashboards = list({
  name: 'dashboards',
  section: 'dashboards',
  load: async () => (await import('./dashboards/DashboardListPage.tsx')).DashboardListPage,
})

export const charts = list({
  name: 'charts',
  section: 'charts',
  load: async () => (await import('./charts/ChartListPage.tsx')).ChartListPage,
})

export const datasets = list({
  name: 'datasets',
  section: 'datasets',
  load: async () => (await import('./datasets/DatasetListPage.tsx')).DatasetListPage,
})

export const addDataset = list({
  name: 'addDataset',
  section: 'datasets',
  load: async () => (await import('./datasets/DatasetListPage.tsx')).AddDatasetPage,
})

export const databases = list({
  name: 'databases',
  section: 'databases',
  load: async () => (await import('./databases/DatabaseListPage.tsx')).DatabaseListPage,
})

export const savedQueries = list({
  name: 'savedQueries',
  section: 'saved-queries',
  load: async () => (await import('./queries/SavedQueryListPage.tsx')).SavedQueryListPage,
})

export const queryHistory = list({
  name: 'queryHistory',
  section: 'history',
  load: async () => (await import('./queries/QueryHistoryPage.tsx')).QueryHistoryPage,
})

export const cssTemplates = list({
  name: 'cssTemplates',
  section: 'css-templates',
  load: async () => (await import('./css-templates/CssTemplateListPage.tsx')).CssTemplateListPage,
})

export const themes = list({
  name: 'themes',
  section: 'themes',
  load: async () => (await import('./themes/ThemeListPage.tsx')).ThemeListPage,
})

export const plugins = list({
  name: 'plugins',
  section: 'plugins',
  load: async () => (await import('./plugins/PluginsPage.tsx')).PluginsPage,
})

export const annotationLayers = list({
  name: 'annotationLayers',
  section: 'annotation-layers',
  load: async () => (await import('./annotations/LayerListPage.tsx')).LayerListPage,
})

export const annotations = list({
  name: 'annotations',
  section: 'annotation-layers',
  load: async () => (await import('./annotations/AnnotationListPage.tsx')).AnnotationListPage,
})

export const rowLevelSecurityRules = list({
  name: 'rowLevelSecurityRules',
  section: 'row-level-security',
  load: async () => (await import('./rules/RuleListPage.tsx')).RuleListPage,
})

export const users = list({
  name: 'users',
  section: 'users',
  load: async () => (await import('./users/UserListPage.tsx')).UserListPage,
})

export const groups = list({
  name: 'groups',
  section: 'groups',
  load: async () => (await import('./groups/GroupListPage.tsx')).GroupListPage,
})

export const registrations = list({
  name: 'registrations',
  section: 'registrations',
  load: async () => (await import('./registrations/RegistrationListPage.tsx')).RegistrationListPage,
})

export const roles = list({
  name: 'roles',
  section: 'roles',
  load: async () => (await import('./roles/RoleListPage.tsx')).RoleListPage,
})

export const role = list({
  name: 'role',
  section: 'roles',
  load: async () => (await import('./roles/RolePage.tsx')).RolePage,
})

export const tags = list({
  name: 'tags',
  section: 'tags',
  load: async () => (await import('./tags/TagListPage.tsx')).TagListPage,
})

export const tag = list({
  name: 'tag',
  section: 'tags',
  load: async () => (await import('./tags/TagPage.tsx')).TagPage,
})

export const alerts = list({
  name: 'alerts',
  section: 'reports',
  load: async () => (await import('./reports/ReportListPage.tsx')).AlertListPage,
})

export const reports = list({
  name: 'reports',
  section: 'reports',
  load: async () => (await import('./reports/ReportListPage.tsx')).ReportListPage,
})

export const reportLog = list({
  name: 'reportLog',
  section: 'reports',
  load: async () => (await import('./reports/ReportLogPage.tsx')).ReportLogPage,
})

export const reportChannels = list({
  name: 'reportChannels',
  section: 'reports',
  load: async () => (await import('./reports/ChannelsPage.tsx')).ChannelsPage,
})

export const trash = list({
  name: 'trash',
  section: 'trash',
  load: async () => (await import('./trash/TrashPage.tsx')).TrashPage,
})

export const pages = [
  dashboards,
  charts,
  datasets,
  addDataset,
  databases,
  savedQueries,
  queryHistory,
  cssTemplates,
  themes,
  annotationLayers,
  annotations,
  plugins,
  rowLevelSecurityRules,
  users,
  groups,
  registrations,
  roles,
  role,
  tags,
  tag,
  alerts,
  reports,
  reportLog,
  reportChannels,
  trash,
]
