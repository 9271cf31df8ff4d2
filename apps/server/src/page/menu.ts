import { type MenuItem, menuRoute } from '@parquetry/model'
import type { App } from '../http/app.ts'
import type { Principal } from '../access/principal.ts'
import { serve } from '../http/serve.ts'

const item = (name: string, label: string, url: string): MenuItem => ({ name, icon: '', label, url })

/** Navigation entries, by the names that `menu_access` is granted on. */
const entries: readonly MenuItem[] = [
  item('Dashboards', 'Dashboards', '/dashboard/list/'),
  item('Charts', 'Charts', '/chart/list/'),
  item('Datasets', 'Datasets', '/tablemodelview/list/'),
  {
    name: 'SQL Lab',
    icon: '',
    label: 'SQL',
    childs: [
      item('SQL Editor', 'SQL Lab', '/superset/sqllab/'),
      item('Saved Queries', 'Saved Queries', '/savedqueryview/list/'),
      item('Query Search', 'Query History', '/superset/sqllab/history/'),
    ],
  },
  { name: 'Data', icon: '', label: 'Data', childs: [item('Databases', 'Database Connections', '/databaseview/list/')] },
  {
    name: 'Manage',
    icon: '',
    label: 'Manage',
    childs: [
      item('CSS Templates', 'CSS Templates', '/csstemplatemodelview/list/'),
      item('Themes', 'Themes', '/theme/list/'),
      item('Annotation Layers', 'Annotation Layers', '/annotationlayer/list/'),
      item('Tags', 'Tags', '/superset/tags/'),
    ],
  },
  {
    name: 'Security',
    icon: '',
    label: 'Security',
    childs: [
      item('List Users', 'List Users', '/users/'),
      item('List Roles', 'List Roles', '/roles/'),
      item('List Groups', 'List Groups', '/list_groups/'),
      item('User Registrations', 'User Registrations', '/registrations/'),
      item('Row Level Security', 'Row Level Security', '/rowlevelsecurity/list/'),
    ],
  },
]

/** The entries that the user may open, without empty menus. */
export function buildMenu({ permissions }: Principal): MenuItem[] {
  const canOpen = ({ name }: MenuItem) => permissions.has(`menu_access ${name}`)
  return entries.filter(canOpen).flatMap((entry) => {
    if (!entry.childs) return [entry]
    const childs = entry.childs.filter((child) => child !== '-' && canOpen(child))
    return childs.length > 0 ? [{ ...entry, childs }] : []
  })
}

export function menuRoutes(app: App): void {
  serve(app, menuRoute, ({ principal }) => ({ result: buildMenu(principal) }))
}
