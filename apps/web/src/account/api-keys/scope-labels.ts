import { formatScope, scopeResources, type ScopeResource } from '@parquetry/model/api-key-scopes'
import type { Translate } from '@parquetry/ui'

/** Resources that the dialog offers. Those without routes yet are left out. */
export const offeredResources = scopeResources.filter((resource) => !['report', 'task', 'theme'].includes(resource))

export const readOnlyScopes: readonly string[] = scopeResources.map((resource) => formatScope(resource, 'read'))

export const scopeLabels = (t: Translate): Record<ScopeResource, string> => ({
  annotation: t('account.scope.annotation', 'Annotation layers'),
  chart: t('account.scope.chart', 'Charts'),
  dashboard: t('account.scope.dashboard', 'Dashboards'),
  database: t('account.scope.database', 'Databases and uploads'),
  dataset: t('account.scope.dataset', 'Datasets'),
  explore: t('account.scope.explore', 'Links to Explore'),
  query: t('account.scope.query', 'Query history'),
  report: t('account.scope.report', 'Reports'),
  role: t('account.scope.role', 'Roles'),
  rls: t('account.scope.rls', 'Row-level security rules'),
  savedquery: t('account.scope.savedquery', 'Saved queries'),
  sqllab: t('account.scope.sqllab', 'SQL Lab'),
  tag: t('account.scope.tag', 'Tags'),
  task: t('account.scope.task', 'Tasks'),
  theme: t('account.scope.theme', 'Themes'),
  user: t('account.scope.user', 'Users and groups'),
})

/** Describes the scopes of a key in one line. */
export function describeScopes(t: Translate, scopes: string | null): string {
  if (scopes === null) return t('account.scope.all', 'Full access')
  const list = scopes.split(',')
  if (list.length === readOnlyScopes.length && readOnlyScopes.every((scope) => list.includes(scope)))
    return t('account.scope.readOnly', 'Read only')
  return t('account.scope.some', '{count, plural, one {# scope} other {# scopes}}', { count: list.length })
}
