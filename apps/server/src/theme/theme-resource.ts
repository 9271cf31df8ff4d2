import { ThemePost, ThemePut } from '@parquetry/model'
import { sql, type Selectable, type SqlBool } from 'kysely'
import { visibilityCondition } from '../access/access.ts'
import { hasPermission } from '../access/principal.ts'
import { auditColumns, booleanColumns } from '../http/column-resolvers.ts'
import { anyContains, booleanFilter, numberFilter, textFilter, timeFilter, toOneFilter } from '../http/filters.ts'
import { relatedUsers } from '../http/related.ts'
import type { ColumnResolver, Resource } from '../http/resource.ts'
import { and } from '../store/conditions.ts'
import type { ThemeTable } from '../store/tables.ts'

export type ThemeRow = Selectable<ThemeTable>

/** The dashboards with each theme that the caller may see. */
const dashboards: ColumnResolver<ThemeRow> = async (rows, context) => {
  if (rows.length === 0 || !hasPermission(context.principal, ['can_read', 'Dashboard'])) return rows.map(() => [])
  const visible = visibilityCondition('dashboard', context)
  const ids = sql.join(rows.map(({ id }) => id))
  const conditions = [sql<SqlBool>`dashboard.theme_id in (${ids})`, ...(visible ? [visible] : [])]
  const found = await sql<{ id: number; theme_id: number; dashboard_title: string | null }>`
    select id, theme_id, dashboard_title from dashboard where ${and(conditions)} order by dashboard_title, id`.execute(
    context.db,
  )
  return rows.map((row) =>
    found.rows
      .filter(({ theme_id }) => theme_id === row.id)
      .map(({ id, dashboard_title }) => ({ id, dashboard_title: dashboard_title ?? '' })),
  )
}

const flags = ['is_system', 'is_system_default', 'is_system_dark'] as const
const columns = ['json_data', 'id', ...flags, 'theme_name', 'uuid']
const changed = ['changed_on_delta_humanized', 'changed_by.first_name', 'changed_by.id', 'changed_by.last_name']
const created = ['created_by.first_name', 'created_by.id', 'created_by.last_name']

/** Resource definition of `/api/v1/theme/`. Users with the permission see all themes. */
export const themeResource: Resource<ThemeRow> & { kind: 'theme' } = {
  kind: 'theme',
  title: 'Theme',
  view: 'Theme',
  list: {
    announced: [...changed, 'changed_by_name', 'created_on', ...created, ...columns],
    unannounced: ['changed_on', 'dashboards'],
  },
  show: {
    announced: [...changed, ...created, ...columns],
    unannounced: ['changed_by_name', 'changed_on', 'created_on', 'dashboards'],
  },
  order: { theme_name: sql`lower(theme.theme_name)` },
  defaultOrder: ['theme_name', 'asc'],
  filters: {
    id: numberFilter('theme.id'),
    created_by: toOneFilter('theme.created_by_fk', 'user'),
    changed_by: toOneFilter('theme.changed_by_fk', 'user'),
    created_on: timeFilter('theme.created_on'),
    changed_on: timeFilter('theme.changed_on'),
    theme_name: [
      ...textFilter('theme.theme_name'),
      anyContains('theme_all_text', 'All Text', ['theme.theme_name', 'theme.json_data']),
    ],
    json_data: textFilter('theme.json_data'),
    is_system: booleanFilter('theme.is_system'),
    is_system_default: booleanFilter('theme.is_system_default'),
    is_system_dark: booleanFilter('theme.is_system_dark'),
  },
  resolvers: { ...auditColumns<ThemeRow>(), ...booleanColumns<ThemeRow>(...flags), dashboards },
  related: { created_by: relatedUsers(), changed_by: relatedUsers() },
  distinct: [],
  bodies: { add: ThemePost, edit: ThemePut },
}
