import type { IconName, Translate } from '@parquetry/ui'
import { boot } from './boot.ts'
import type { NavSection } from './page.ts'
import { canSeeReports, canWriteReports } from './reports/has-reports.ts'
import { can, hasSqlLab } from './rights.ts'
import { hasTags } from './tags/has-tags.ts'
import { canUploadAny } from './upload.ts'

/** A navigation entry. Entries that the user may never open are omitted. */
export interface NavEntry {
  section: NavSection
  label: string
  href: string
  icon: IconName
  shortcut: string
  /** Second level: shown under its parent. */
  parent?: NavSection
}

export const listNavEntries = (t: Translate): NavEntry[] => {
  const all: (NavEntry & { may: boolean })[] = [
    {
      section: 'home',
      label: t('app.nav.home', 'Home'),
      href: '/superset/welcome/',
      icon: 'home',
      shortcut: 'G H',
      may: true,
    },
    {
      section: 'dashboards',
      label: t('app.nav.dashboards', 'Dashboards'),
      href: '/dashboard/list/',
      icon: 'dashboard',
      shortcut: 'G D',
      may: can('can_read', 'Dashboard'),
    },
    {
      section: 'css-templates',
      parent: 'dashboards',
      label: t('app.nav.cssTemplates', 'CSS templates'),
      href: '/csstemplatemodelview/list/',
      icon: 'text',
      shortcut: 'G K',
      may: can('can_write', 'CssTemplate'),
    },
    {
      section: 'themes',
      parent: 'dashboards',
      label: t('app.nav.themes', 'Themes'),
      href: '/theme/list/',
      icon: 'sun',
      shortcut: 'G M',
      may: can('can_write', 'Theme'),
    },
    {
      section: 'charts',
      label: t('app.nav.charts', 'Charts'),
      href: '/chart/list/',
      icon: 'chart',
      shortcut: 'G C',
      may: can('can_read', 'Chart'),
    },
    {
      section: 'annotation-layers',
      parent: 'charts',
      label: t('app.nav.annotationLayers', 'Annotation layers'),
      href: '/annotationlayer/list/',
      icon: 'calendar',
      shortcut: 'G A',
      may: can('can_read', 'Annotation'),
    },
    {
      section: 'plugins',
      parent: 'charts',
      label: t('app.nav.plugins', 'Plugins'),
      href: '/dynamic-plugins/list/',
      icon: 'chart',
      shortcut: 'G J',
      may: boot.common.feature_flags['DYNAMIC_PLUGINS'] === true && can('can_write', 'DynamicPlugin'),
    },
    {
      section: 'datasets',
      label: t('app.nav.datasets', 'Datasets'),
      href: '/tablemodelview/list/',
      icon: 'dataset',
      shortcut: 'G T',
      may: can('can_read', 'Dataset'),
    },
    {
      section: 'databases',
      parent: 'datasets',
      label: t('app.nav.databases', 'Databases'),
      href: '/databaseview/list/',
      icon: 'database',
      shortcut: 'G B',
      may: can('can_read', 'Database'),
    },
    {
      section: 'sqllab',
      label: t('app.nav.sqllab', 'SQL Lab'),
      href: '/superset/sqllab/',
      icon: 'sql',
      shortcut: 'G S',
      may: hasSqlLab,
    },
    {
      section: 'saved-queries',
      parent: 'sqllab',
      label: t('app.nav.savedQueries', 'Saved queries'),
      href: '/savedqueryview/list/',
      icon: 'query',
      shortcut: 'G Q',
      may: can('can_read', 'SavedQuery'),
    },
    {
      section: 'history',
      parent: 'sqllab',
      label: t('app.nav.history', 'Query history'),
      href: '/superset/sqllab/history/',
      icon: 'history',
      shortcut: 'G Y',
      may: hasSqlLab && can('can_read', 'Query'),
    },
    {
      section: 'reports',
      label: t('app.nav.reports', 'Alerts & reports'),
      href: '/report/list/',
      icon: 'clock',
      shortcut: 'G R',
      may: canSeeReports,
    },
    {
      section: 'tags',
      label: t('app.nav.tags', 'Tags'),
      href: '/superset/tags/',
      icon: 'tag',
      shortcut: 'G N',
      may: hasTags && can('can_list', 'Tags'),
    },
    {
      section: 'users',
      label: t('app.nav.users', 'Users'),
      href: '/users/',
      icon: 'user',
      shortcut: 'G U',
      may: can('can_read', 'security') && can('can_get_list', 'User'),
    },
    {
      section: 'groups',
      parent: 'users',
      label: t('app.nav.groups', 'Groups'),
      href: '/list_groups/',
      icon: 'group',
      shortcut: 'G P',
      may: can('can_read', 'security') && can('can_get_list', 'Group'),
    },
    {
      section: 'registrations',
      parent: 'users',
      label: t('app.nav.registrations', 'Self-registrations'),
      href: '/registrations/',
      icon: 'user',
      shortcut: 'G E',
      may: can('can_read', 'security') && can('can_list', 'UserRegistrationsRestAPI'),
    },
    {
      section: 'roles',
      label: t('app.nav.roles', 'Roles'),
      href: '/roles/',
      icon: 'role',
      shortcut: 'G O',
      may: can('can_get_list', 'Role') && can('can_read', 'security'),
    },
    {
      section: 'row-level-security',
      label: t('app.nav.rowLevelSecurity', 'Row-level security'),
      href: '/rowlevelsecurity/list/',
      icon: 'lock',
      shortcut: 'G L',
      may: can('can_read', 'Row Level Security'),
    },
    {
      section: 'trash',
      label: t('app.nav.trash', 'Trash'),
      href: '/trash/',
      icon: 'trash',
      shortcut: 'G X',
      may: can('can_write', 'Dashboard') || can('can_write', 'Chart') || can('can_write', 'Dataset'),
    },
  ]
  return all.filter(({ may }) => may)
}

export interface CreateAction {
  id: string
  label: string
  href: string
  icon: IconName
}

export const listCreateActions = (t: Translate): CreateAction[] => {
  const all: (CreateAction & { may: boolean })[] = [
    {
      id: 'chart',
      label: t('app.create.chart', 'Chart'),
      href: '/chart/add',
      icon: 'chart',
      may: can('can_write', 'Chart'),
    },
    {
      id: 'dashboard',
      label: t('app.create.dashboard', 'Dashboard'),
      href: '/dashboard/new/',
      icon: 'dashboard',
      may: can('can_write', 'Dashboard'),
    },
    {
      id: 'query',
      label: t('app.create.query', 'SQL query'),
      href: '/superset/sqllab/?new=true',
      icon: 'sql',
      may: hasSqlLab,
    },
    {
      id: 'dataset',
      label: t('app.create.dataset', 'Dataset'),
      href: '/dataset/add/',
      icon: 'dataset',
      may: can('can_write', 'Dataset'),
    },
    {
      id: 'upload',
      label: t('app.create.upload', 'Upload a file'),
      href: '/csvtodatabaseview/form',
      icon: 'upload',
      may: canUploadAny,
    },
    {
      id: 'database',
      label: t('app.create.database', 'Connect a database'),
      href: '/databaseview/list/?show_database_modal=true',
      icon: 'plug',
      may: can('can_write', 'Database'),
    },
    {
      id: 'report',
      label: t('app.create.report', 'Alert or report'),
      href: '/report/list/?new=true',
      icon: 'clock',
      may: canWriteReports,
    },
  ]
  return all.filter(({ may }) => may)
}
