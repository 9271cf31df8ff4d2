import type { BundledKind, PermissionPair } from '@parquetry/model'

/** Kinds of bundles that have an import call. */
export type ImportKind = BundledKind | 'assets'

/** Permission of each import call; `import-permissions.test.ts` compares them with the routes. */
export const importPermissions: Partial<Record<ImportKind, PermissionPair>> = {
  database: ['can_write', 'Database'],
  saved_query: ['can_write', 'SavedQuery'],
  theme: ['can_write', 'Theme'],
}
