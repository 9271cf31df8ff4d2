import type { BundleType } from '@parquetry/bundle'
import { exportRoutes as routes } from '@parquetry/model'
import { sql, type SqlBool } from 'kysely'
import { hasPermission } from '../access/principal.ts'
import { EventLoopYielder } from '../concurrency/event-loop-yielder.ts'
import type { ReadContext } from '../http/resource.ts'
import type { BundleBuilder } from './bundle-builder.ts'
import { visibleRowsInPages } from './rows-in-pages.ts'

/** The type of the bundles of each kind, and how an object is added to them. */
export const exportedKinds = {
  chart: ['Slice', (builder: BundleBuilder, row) => builder.addChart(row)],
  dashboard: ['Dashboard', (builder: BundleBuilder, row) => builder.addDashboard(row)],
  dataset: ['SqlaTable', (builder: BundleBuilder, row) => builder.addDataset(row)],
  database: ['Database', (builder: BundleBuilder, row) => builder.addDatabase(row)],
  css_template: ['CssTemplate', (builder, row) => builder.addCssTemplate(row)],
  annotation_layer: ['AnnotationLayer', (builder, row) => builder.addAnnotationLayer(row)],
  theme: ['Theme', (builder: BundleBuilder, row) => builder.addTheme(row)],
  saved_query: ['SavedQuery', (builder: BundleBuilder, row) => builder.addSavedQuery(row)],
} as const satisfies Record<
  keyof typeof routes,
  readonly [BundleType, (builder: BundleBuilder, row: never) => Promise<unknown>]
>

/** Kinds of `/api/v1/assets/export/`; databases are added with the datasets, which users see without seeing databases. */
const assetKinds = [
  'theme',
  'css_template',
  'annotation_layer',
  'database',
  'dataset',
  'chart',
  'dashboard',
  'saved_query',
] as const

/** Adds everything that the caller may see and export. */
export async function addAssets(builder: BundleBuilder, context: ReadContext): Promise<void> {
  const yielder = new EventLoopYielder()
  for (const kind of assetKinds) {
    const [, add] = exportedKinds[kind]
    if (!hasPermission(context.principal, routes[kind].can)) continue
    const isAdded = isExported[kind] ?? sql<SqlBool>`true`
    for await (const row of visibleRowsInPages(kind, isAdded, context)) {
      await add(builder, row as never)
      await yielder.yieldIfDue()
    }
  }
}

/** Themes of the configuration belong to a server, which stores them itself. */
const isExported: Partial<Record<(typeof assetKinds)[number], ReturnType<typeof sql<SqlBool>>>> = {
  theme: sql<SqlBool>`is_system = 0`,
}
