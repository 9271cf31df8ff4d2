import type { PermissionPair } from './permission-texts.ts'

/** Permissions on single databases, schemas and datasets, as the server names them. */
export const grantNames = ['database_access', 'schema_access', 'datasource_access', 'catalog_access'] as const

export const isGrant = ({ name }: Pick<PermissionPair, 'name'>): boolean =>
  (grantNames as readonly string[]).includes(name)

/** Name of what a permission is granted on: `[sales].[orders](id:3)` is shown as `sales.orders`. */
export function formatGrant({ view }: Pick<PermissionPair, 'view'>): string {
  const withoutId = view.replace(/\.?\(id:\d+\)$/, '')
  const inside = /^\[(.*)\]$/s.exec(withoutId)?.[1]
  return inside === undefined ? view : inside.replaceAll('].[', '.')
}
