import {
  AppError,
  headerId,
  isIdLikeSlug,
  listChartNodes,
  message,
  readNativeFilters,
  remapChartIds,
  replaceFileUrls,
  toPlainText,
  toDashboardSlug,
} from '@parquetry/model'
import type { Kysely, Selectable } from 'kysely'
import { findFileHashes, listDashboardFiles, rewriteFileUrls, storeDashboardFile } from '../dashboard/files.ts'
import { isObject } from '../dashboard/metadata.ts'
import { readDashboardDocument, slugTaken } from '../dashboard/save-dashboard.ts'
import { parseObject } from '../http/json-body.ts'
import { listCustomTags } from '../http/tags.ts'
import { readImage } from '../image/read-image.ts'
import type { DashboardTable, Tables } from '../store/tables.ts'
import { parseStoredTime } from '../store/time.ts'
import { exportDashboard } from './export-dashboard.ts'
import { createFieldReader, fileProblem } from './fields.ts'
import { recordVersionAfter, recordVersionBefore } from './import-history.ts'
import type { KindImporter, ReadScope, ImportReferences, StoredIdentity, WriteScope } from './import-scope.ts'
import { readTagNames, writeTags } from './import-tags.ts'
import { pickOtherFields } from './other-fields.ts'

type Json = Record<string, unknown>

const knownFields = [
  'dashboard_title',
  'description',
  'css',
  'slug',
  'certified_by',
  'certification_details',
  'published',
  'uuid',
  'position',
  'metadata',
  'tags',
  'theme_uuid',
  'version',
  'is_managed_externally',
  'external_url',
]

/** Ids here of the charts in a layout, by their id in it. */
const layoutIds = (layout: Json, charts: ReadonlyMap<string, number>): Map<number, number> =>
  new Map(
    listChartNodes(layout).flatMap(({ meta, chartId }) => {
      const id = charts.get(toPlainText(meta['uuid']))
      return id === undefined ? [] : [[chartId, id] as const]
    }),
  )

/** A place whose chart is not in the bundle stays empty: its number may be that of another chart in this store. */
function withChartIds(position: Json, charts: ReadonlyMap<string, number>): Json {
  const entries = Object.entries(position).map(([key, node]): [string, unknown] => {
    const { type, meta } = (node ?? {}) as { type?: unknown; meta?: Json }
    if (type !== 'CHART' || typeof meta !== 'object' || meta === null) return [key, node]
    const { chartId: _, ...others } = meta
    const chartId = charts.get(toPlainText(meta['uuid']))
    return [key, { ...(node as Json), meta: { ...others, ...(chartId !== undefined && { chartId }) } }]
  })
  return Object.fromEntries(entries)
}

/** Every export has a header, so that importing one again changes nothing. */
const withHeader = (position: Json, title: string | null): Json =>
  headerId in position || Object.keys(position).length === 0
    ? position
    : {
        ...position,
        [headerId]: { id: headerId, type: 'HEADER', children: [], parents: [], meta: { text: title ?? '' } },
      }

function withDatasetIds(metadata: Json, datasets: ImportReferences['datasets']): Json {
  const filters = metadata['native_filter_configuration']
  if (!Array.isArray(filters)) return metadata
  // A number of the other store may be that of another dataset here.
  const targetOf = ({ datasetUuid, ...target }: Json): Json => {
    const dataset = datasets.get(toPlainText(datasetUuid))
    const others = Object.fromEntries(Object.entries(target).filter(([name]) => name !== 'datasetId'))
    return dataset === undefined ? others : { ...others, datasetId: dataset.id }
  }
  return {
    ...metadata,
    native_filter_configuration: filters.filter(isObject).map((filter) => ({
      ...filter,
      targets: Array.isArray(filter['targets']) ? filter['targets'].filter(isObject).map(targetOf) : [],
    })),
  }
}

/** Image addresses name their dashboard, which has no id yet. */
const withoutDashboardId = (text: string | null): string | null =>
  text &&
  replaceFileUrls(text, 0, new Map([...findFileHashes({ position_json: text, css: null })].map((hash) => [hash, hash])))

/** As the calls that save a dashboard store it. Addresses take digits for the id of another dashboard. */
function readSlug(text: string | null, note: ReadScope['note']): string | null {
  const slug = toDashboardSlug(text)
  if (slug === null || !isIdLikeSlug(slug)) return slug
  note(
    message('errors.bundle.numericSlug', 'Its slug {slug} was left out, because digits alone are read as an ID.', {
      slug,
    }),
  )
  return null
}

function readContent(document: Json, path: string, { references, note }: ReadScope) {
  const fields = createFieldReader(document, path)
  const layout = fields.object('position')
  const position = withHeader(withChartIds(layout, references.charts), fields.text('dashboard_title'))
  const metadata = remapChartIds(fields.object('metadata'), layoutIds(layout, references.charts), 'drop')
  const themeUuid = fields.text('theme_uuid')
  return {
    dashboard_title: fields.text('dashboard_title'),
    slug: readSlug(fields.text('slug'), note),
    position_json: withoutDashboardId(JSON.stringify(position)),
    json_metadata: JSON.stringify(withDatasetIds(metadata, references.datasets)),
    css: withoutDashboardId(fields.text('css')),
    description: fields.text('description'),
    published: fields.truth('published'),
    certified_by: fields.text('certified_by'),
    certification_details: fields.text('certification_details'),
    is_managed_externally: fields.truth('is_managed_externally'),
    external_url: fields.text('external_url'),
    other_fields: pickOtherFields(document, knownFields),
    theme_id: (themeUuid === null ? undefined : references.themes.get(themeUuid)) ?? null,
    chartIds: [...new Set(listChartNodes(position).map(({ chartId }) => chartId))],
    newImages: [] as string[],
    tags: readTagNames(document, path),
  }
}

/** The objects that a stored dashboard refers to, by UUID. */
async function readReferences(db: Kysely<Tables>, row: Selectable<DashboardTable>) {
  const charts = await db
    .selectFrom('chart')
    .innerJoin('dashboard_chart', 'chart_id', 'chart.id')
    .select(['chart.id', 'uuid', 'slice_name'])
    .where('dashboard_id', '=', row.id)
    .orderBy('chart.id')
    .execute()
  const filters = readNativeFilters({ nodes: {}, metadata: parseObject(row.json_metadata) })
  const datasetIds = filters.flatMap(({ targets = [] }) => targets.flatMap((target) => target?.datasetId ?? []))
  const datasets =
    datasetIds.length === 0
      ? []
      : await db.selectFrom('dataset').select(['id', 'uuid', 'table_name']).where('id', 'in', datasetIds).execute()
  const theme =
    row.theme_id === null
      ? undefined
      : await db.selectFrom('theme').select(['id', 'uuid']).where('id', '=', row.theme_id).executeTakeFirst()
  return { charts, datasets, theme }
}

/** Images of the bundle that the dashboard refers to and does not have yet. */
async function findNewImages(
  texts: { position_json: string | null; css: string | null },
  { db, images }: ReadScope,
  stored: StoredIdentity | undefined,
): Promise<string[]> {
  const bundled = [...findFileHashes(texts)].filter((hash) => images.has(hash))
  if (bundled.length === 0 || !stored) return bundled
  const existing = new Set((await listDashboardFiles(db, stored.id)).map(({ hash }) => hash))
  return bundled.filter((hash) => !existing.has(hash))
}

/** Imports the images of the bundle that the dashboard refers to, with the same checks as uploads. */
async function writeImages(
  id: number,
  texts: { position_json: string | null; css: string | null },
  { db, images, readImage: readBytes, authorId: author, at, imageQuotaMb: quotaMb }: WriteScope,
): Promise<void> {
  const fileAuthor = { author, now: parseStoredTime(at), quotaMb }
  const referenced = findFileHashes(texts)
  if (referenced.size === 0) return
  const stored = await listDashboardFiles(db, id)
  const hashes = new Map(stored.filter(({ hash }) => referenced.has(hash)).map(({ hash }) => [hash, hash]))
  for (const before of referenced) {
    const path = images.get(before)
    if (path === undefined) continue
    try {
      const image = await readImage(await readBytes(path))
      hashes.set(before, (await storeDashboardFile(db, id, image, fileAuthor)).hash)
    } catch (error) {
      throw asFileProblem(error, path)
    }
  }
  if (hashes.size > 0)
    await db
      .updateTable('dashboard')
      .set(rewriteFileUrls(texts, id, hashes))
      .where('id', '=', id)
      .execute()
}

const asFileProblem = (error: unknown, path: string): unknown =>
  error instanceof AppError ? fileProblem(path, error.sentence) : error

async function writeCharts(id: number, chartIds: readonly number[], { db, yielder }: WriteScope): Promise<void> {
  for (const chart_id of chartIds) {
    await db.insertInto('dashboard_chart').values({ dashboard_id: id, chart_id }).execute()
    await yielder.yieldIfDue()
  }
}

/** @throws AppError `unprocessable` when another dashboard has the slug */
export async function refuseTakenSlug(
  db: Kysely<Tables>,
  { slug }: { slug: string | null },
  uuid: string,
  path: string,
): Promise<void> {
  if (!slug) return
  const other = await db
    .selectFrom('dashboard')
    .select('id')
    .where('slug', '=', slug)
    .where('uuid', '!=', uuid)
    .executeTakeFirst()
  if (other) throw fileProblem(path, { slug: [slugTaken] })
}

/** A theme that is neither in the bundle nor here is left out. Bundles of all objects of Superset contain no themes. */
async function findTheme(document: Json, path: string, { db }: ReadScope): Promise<number | null> {
  const uuid = createFieldReader(document, path).text('theme_uuid')
  if (uuid === null) return null
  return (await db.selectFrom('theme').select('id').where('uuid', '=', uuid).executeTakeFirst())?.id ?? null
}

type DashboardContent = ReturnType<typeof readContent>

/** The columns of a dashboard, and what is stored beside them. */
function splitContent(content: DashboardContent) {
  const { chartIds, tags, ...others } = content
  const { newImages, ...row } = others
  return { chartIds, tags, newImages, row }
}

/** Imports a dashboard, replacing UUIDs in its layout and filters with ids of this store. */
export const dashboardImporter: KindImporter<DashboardContent> = {
  kind: 'dashboard',

  async read(document, path, scope, stored) {
    const content = readContent(document, path, scope)
    await refuseTakenSlug(scope.db, content, String(document['uuid']), path)
    const theme_id = content.theme_id ?? (await findTheme(document, path, scope))
    return { ...content, theme_id, newImages: await findNewImages(content, scope, stored) }
  },

  async readStored(db, { id }, scope) {
    const row = await db.selectFrom('dashboard').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row) return undefined
    const { charts, datasets, theme } = await readReferences(db, row)
    const tags = await listCustomTags({ db }, 'dashboard', id)
    const document = exportDashboard(row, {
      charts,
      datasetUuids: new Map(datasets.map((dataset) => [dataset.id, dataset.uuid])),
      themeUuid: theme?.uuid,
      tags: tags.map(({ name }) => name),
    })
    const references: ImportReferences = {
      ...scope.references,
      charts: new Map(charts.map((chart) => [chart.uuid, chart.id])),
      datasets: new Map(
        datasets.map(({ uuid, id: datasetId, table_name }) => [uuid, { id: datasetId, name: table_name }]),
      ),
      themes: new Map(theme ? [[theme.uuid, theme.id]] : []),
    }
    return readContent(document, '', { ...scope, references })
  },

  async create(content, identity, scope) {
    const { chartIds, tags, row } = splitContent(content)
    const { db, authorId, at } = scope
    const { id } = await db
      .insertInto('dashboard')
      .values({
        ...row,
        ...identity,
        created_on: at,
        created_by_fk: authorId,
        changed_on: at,
        changed_by_fk: authorId,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (authorId !== null)
      await db.insertInto('dashboard_owner').values({ dashboard_id: id, user_id: authorId }).execute()
    await writeTags(tags, { kind: 'dashboard', id }, scope)
    await writeImages(id, row, scope)
    await writeCharts(id, chartIds, scope)
    return id
  },

  async replace(content, stored, scope) {
    const { chartIds, tags, row } = splitContent(content)
    const { db, authorId, at } = scope
    const { id } = stored
    await recordVersionBefore(scope, 'dashboard', stored, readDashboardDocument)
    await db
      .updateTable('dashboard')
      .set({ ...row, changed_on: at, changed_by_fk: authorId })
      .where('id', '=', id)
      .execute()
    await db.deleteFrom('dashboard_chart').where('dashboard_id', '=', id).execute()
    await writeTags(tags, { kind: 'dashboard', id }, scope)
    await writeImages(id, row, scope)
    await writeCharts(id, chartIds, scope)
    await recordVersionAfter(scope, 'dashboard', stored, readDashboardDocument)
  },
}
