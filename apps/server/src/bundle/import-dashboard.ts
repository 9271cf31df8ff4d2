import { parseImageHash } from '@parquetry/bundle'
import { AppError, listChartNodes, remapChartIds } from '@parquetry/model'
import { type FileTexts, storeDashboardFile, findFileHashes, rewriteFileUrls } from '../dashboard/files.ts'
import { readDashboardDocument } from '../dashboard/save-dashboard.ts'
import { readImage } from '../image/read-image.ts'
import { parseStoredTime } from '../store/time.ts'
import { slugTaken } from '../dashboard/save-dashboard.ts'
import { formatAlreadyExists, createFieldReader } from './fields.ts'
import type { ImportContext } from './import-bundle.ts'
import { importTags } from './import-tags.ts'
import { recordVersionAfter, recordVersionBefore } from './import-history.ts'

type Json = Record<string, unknown>

/** Imports a dashboard, replacing UUIDs in its layout and filters with ids of this store. */
export async function importDashboard(document: Json, path: string, context: ImportContext): Promise<void> {
  const { db, ids, authorId, at } = context
  const fields = createFieldReader(document, path)
  const uuid = fields.required('uuid')
  const found = await db.selectFrom('dashboard').select('id').where('uuid', '=', uuid).executeTakeFirst()
  if (found && !context.overwrite) {
    context.problems[path] = formatAlreadyExists('Dashboard')
    return
  }
  const layout = fields.object('position')
  const position = withChartIds(layout, ids.charts)
  const metadata = remapChartIds(fields.object('metadata'), otherIds(layout, ids.charts), 'drop')
  const row = {
    dashboard_title: fields.text('dashboard_title'),
    slug: fields.text('slug'),
    position_json: JSON.stringify(position),
    json_metadata: JSON.stringify(withDatasetIds(metadata, ids.datasets)),
    css: fields.text('css'),
    description: fields.text('description'),
    published: fields.truth('published'),
    certified_by: fields.text('certified_by'),
    certification_details: fields.text('certification_details'),
    // The themes of the bundle, and those that exist here, come first.
    theme_id: await findTheme(fields.text('theme_uuid'), context),
    changed_on: at,
    changed_by_fk: authorId,
  }
  if (row.slug && (await isSlugTaken(db, row.slug, uuid))) {
    context.problems[path] = { slug: [slugTaken] }
    return
  }
  let id = found?.id
  if (id === undefined) {
    const creationFields = {
      uuid,
      is_managed_externally: 0,
      external_url: null,
      created_on: at,
      created_by_fk: authorId,
    }
    id = (
      await db
        .insertInto('dashboard')
        .values({ ...row, ...creationFields })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
    if (authorId !== null)
      await db.insertInto('dashboard_owner').values({ dashboard_id: id, user_id: authorId }).execute()
  } else {
    await recordVersionBefore(context, 'dashboard', { id, uuid }, readDashboardDocument)
    await db.updateTable('dashboard').set(row).where('id', '=', id).execute()
    await db.deleteFrom('dashboard_chart').where('dashboard_id', '=', id).execute()
  }
  await importTags(document, path, { kind: 'dashboard', id }, context)
  await importImages(id, row, context)
  for (const chartId of collectChartIds(position)) {
    await db.insertInto('dashboard_chart').values({ dashboard_id: id, chart_id: chartId }).execute()
    await context.yielder.yieldIfDue()
  }
  if (found) await recordVersionAfter(context, 'dashboard', { id, uuid }, readDashboardDocument)
}

/** A theme that is neither in the bundle nor here is left out. */
async function findTheme(uuid: string | null, { db, ids }: ImportContext): Promise<number | null> {
  if (uuid === null) return null
  const known = ids.themes.get(uuid)
  if (known !== undefined) return known
  return (await db.selectFrom('theme').select('id').where('uuid', '=', uuid).executeTakeFirst())?.id ?? null
}

/** Imports the images of the bundle that the dashboard refers to, with the same checks as uploads. */
async function importImages(id: number, texts: FileTexts, context: ImportContext): Promise<void> {
  const { db, images, problems, authorId: author, at, imageQuotaMb: quotaMb } = context
  const fileAuthor = { author, now: parseStoredTime(at), quotaMb }
  const referenced = findFileHashes(texts)
  const hashes = new Map<string, string>()
  for (const [path, { base64 }] of images) {
    const before = parseImageHash(path) ?? ''
    if (!referenced.has(before)) continue
    try {
      const image = await readImage(Buffer.from(base64, 'base64'))
      hashes.set(before, (await storeDashboardFile(db, id, image, fileAuthor)).hash)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      problems[path] = error.sentence
    }
  }
  if (hashes.size > 0)
    await db
      .updateTable('dashboard')
      .set(rewriteFileUrls(texts, id, hashes))
      .where('id', '=', id)
      .execute()
}

/** Maps chart ids of the bundle to ids of this store, for charts in the layout. */
const otherIds = (layout: Json, charts: ReadonlyMap<string, number>): Map<number, number> =>
  new Map(
    listChartNodes(layout).flatMap(({ meta, chartId }) => {
      const id = charts.get(String(meta['uuid']))
      return id === undefined ? [] : [[chartId, id] as const]
    }),
  )

/** A place whose chart is not in the bundle stays empty: its number may be that of another chart in this store. */
function withChartIds(position: Json, charts: Map<string, number>): Json {
  const entries = Object.entries(position).map(([key, node]): [string, unknown] => {
    const { type, meta } = (node ?? {}) as { type?: unknown; meta?: Json }
    if (type !== 'CHART' || typeof meta !== 'object' || meta === null) return [key, node]
    const { chartId: _, ...others } = meta
    const chartId = charts.get(String(meta['uuid']))
    return [key, { ...(node as Json), meta: { ...others, ...(chartId !== undefined && { chartId }) } }]
  })
  return Object.fromEntries(entries)
}

const isSlugTaken = async (db: ImportContext['db'], slug: string, uuid: string): Promise<boolean> =>
  (await db
    .selectFrom('dashboard')
    .select('id')
    .where('slug', '=', slug)
    .where('uuid', '!=', uuid)
    .executeTakeFirst()) !== undefined

function collectChartIds(position: Json): Set<number> {
  const found = new Set<number>()
  for (const node of Object.values(position)) {
    const chartId = ((node as Json | null)?.['meta'] as Json | undefined)?.['chartId']
    if (typeof chartId === 'number') found.add(chartId)
  }
  return found
}

function withDatasetIds(metadata: Json, datasets: Map<string, number>): Json {
  const filters = metadata['native_filter_configuration']
  if (!Array.isArray(filters)) return metadata
  const targetOf = ({ datasetUuid, ...target }: Json): Json => {
    const datasetId = datasets.get(String(datasetUuid))
    return datasetId === undefined ? target : { ...target, datasetId }
  }
  return {
    ...metadata,
    native_filter_configuration: filters.map((filter: Json) => ({
      ...filter,
      targets: Array.isArray(filter['targets']) ? filter['targets'].map((target) => targetOf(target as Json)) : [],
    })),
  }
}
