import type { BundleType } from '@parquetry/bundle'
import { exportRoutes as routes } from '@parquetry/model'
import { sql, type SqlBool } from 'kysely'
import { hasPermission } from '../access/principal.ts'
import { EventLoopYielder } from '../concurrency/event-loop-yielder.ts'
import { accessConditions, type ReadContext } from '../http/resource.ts'
import { and } from '../store/conditions.ts'
import { BundleBuilder } from './bundle-builder.ts'

/** The type of the bundles of each kind, and how an object is added to them. */
export const exportedKinds = {
  chart: ['Slice', (builder: BundleBuilder, row) => builder.addChart(row)],
  dashboard: ['Dashboard', (builder: BundleBuilder, row) => builder.addDashboard(row)],
  dataset: ['SqlaTable', (builder: BundleBuilder, row) => builder.addDataset(row)],
  database: ['Database', (builder: BundleBuilder, row) => builder.addDatabase(row)],
  css_template: ['CssTemplate', (builder, row) => Promise.resolve(builder.addCssTemplate(row))],
  annotation_layer: ['AnnotationLayer', (builder, row) => builder.addAnnotationLayer(row)],
  theme: ['Theme', (builder: BundleBuilder, row) => Promise.resolve(builder.addTheme(row))],
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

/** A bundle of everything that the caller may see and export. */
export async function buildAssets(context: ReadContext): Promise<BundleBuilder> {
  const builder = new BundleBuilder(context)
  const yielder = new EventLoopYielder()
  for (const kind of assetKinds) {
    const [, add] = exportedKinds[kind]
    if (!hasPermission(context.principal, routes[kind].can)) continue
    for (const row of await allVisibleRows(kind, context)) {
      await add(builder, row as never)
      await yielder.yieldIfDue()
    }
  }
  return builder
}

/** Themes of the configuration belong to a server, which stores them itself. */
const isExported: Partial<Record<(typeof assetKinds)[number], ReturnType<typeof sql<SqlBool>>>> = {
  theme: sql<SqlBool>`is_system = 0`,
}

/** All rows of a kind that the caller may see, in the order in which they were created. */
async function allVisibleRows(kind: (typeof assetKinds)[number], context: ReadContext): Promise<object[]> {
  const { rows } = await sql<object>`select * from ${sql.table(kind)}
    where ${and([isExported[kind] ?? sql<SqlBool>`true`, ...accessConditions({ kind }, context)])} order by id`.execute(
    context.db,
  )
  return rows
}
