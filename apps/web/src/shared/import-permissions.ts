import type { BundledKind, PermissionPair } from '@parquetry/model'

/** Kinds of bundles that have an import call. */
export type ImportKind = BundledKind | 'assets'

/** Permission of each import call; `import-permissions.test.ts` compares them with the routes. */
export const importPermissions: Record<ImportKind, PermissionPair> = {
  theme: ['can_write', 'Theme'],
  css_template: ['can_write', 'CssTemplate'],
  annotation_layer: ['can_write', 'Annotation'],
  database: ['can_write', 'Database'],
  dataset: ['can_write', 'Dataset'],
  chart: ['can_write', 'Chart'],
  dashboard: ['can_write', 'Dashboard'],
  saved_query: ['can_write', 'SavedQuery'],
  assets: ['can_import_', 'ImportExportRestApi'],
}
