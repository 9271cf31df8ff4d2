import {
  type BundleMetadata,
  type BundleType,
  imagePath,
  otherFieldsPath,
  splitDocument,
  toFileName,
} from '@parquetry/bundle'
import { parseExactJson, parseJsonObject, imageTypes } from '@parquetry/model'
import { sql, type Selectable, type SqlBool } from 'kysely'
import { EventLoopYielder } from '../concurrency/event-loop-yielder.ts'
import { findDashboardFile, listDashboardFiles, findFileHashes } from '../dashboard/files.ts'
import { readDataset } from '../dataset/stored-dataset.ts'
import { and } from '../store/conditions.ts'
import { accessConditions, type ReadContext } from '../http/resource.ts'
import { listCustomTags } from '../http/tags.ts'
import type {
  AnnotationLayerTable,
  ChartTable,
  CssTemplateTable,
  DashboardTable,
  DatabaseTable,
  DatasetTable,
  SavedQueryTable,
  ThemeTable,
} from '../store/tables.ts'
import { hasPermission } from '../access/principal.ts'
import type { DocumentSink } from './document-file.ts'
import { type ExportedChart, exportDashboard } from './export-dashboard.ts'
import {
  exportAnnotationLayer,
  exportChart,
  exportCssTemplate,
  exportDatabase,
  exportDataset,
  exportSavedQuery,
  exportTags,
  exportTheme,
} from './export-documents.ts'

import { listDrawn } from './remap-form.ts'
import { visibleRowsInPages } from './rows-in-pages.ts'

type Document = Record<string, unknown>

/**
 * Collects objects and their dependencies: the charts of a dashboard, the dataset of a chart, the database of a dataset. Includes
 * only what the caller may see; charts without their dataset are useless and excluded.
 */
export class BundleBuilder {
  readonly #context: ReadContext
  readonly #yielder = new EventLoopYielder()
  readonly #files: DocumentSink
  readonly #databases = new Map<number, Selectable<DatabaseTable> | undefined>()
  readonly #datasets = new Map<number, { uuid: string } | undefined>()
  readonly #charts = new Set<number>()
  readonly #themes = new Set<number>()
  readonly #layers = new Set<number>()
  /** Descriptions of the tags of all exported objects, by name. */
  readonly #tags = new Map<string, string | null>()

  /** @param files  receives each document as soon as it is built */
  constructor(context: ReadContext, files: DocumentSink) {
    this.#context = context
    this.#files = files
  }

  /** Adds what belongs to all objects together. Nothing is added after it. */
  async finish(type: BundleType, now: Date): Promise<BundleMetadata> {
    if (this.#tags.size > 0) await this.#files.set('tags.yaml', exportTags(this.#tags))
    return { version: '1.0.0', type, timestamp: now.toISOString().replace('Z', '+00:00') }
  }

  /** A database with all its datasets. */
  async addDatabase({ id }: Selectable<DatabaseTable>): Promise<void> {
    await this.#database(id)
    const { db } = this.#context
    const datasets = await db.selectFrom('dataset').select('id').where('database_id', '=', id).orderBy('id').execute()
    for (const dataset of datasets) await this.#dataset(dataset.id)
  }

  async addDataset({ id }: Selectable<DatasetTable>): Promise<void> {
    await this.#dataset(id)
  }

  async addChart(chart: Selectable<ChartTable>): Promise<boolean> {
    const dataset = await this.#dataset(chart.datasource_id)
    if (!dataset) return false
    if (this.#charts.has(chart.id)) return true
    this.#charts.add(chart.id)
    await this.#yielder.yieldIfDue()
    await this.#addDrawn(chart)
    await this.#put(
      `charts/${toFileName(chart.slice_name)}_${chart.id}`,
      chart.id,
      exportChart(chart, dataset.uuid, await this.#listTags('chart', chart.id)),
    )
    return true
  }

  /** Charts and annotation layers that a chart draws, as far as the caller may see them. */
  async #addDrawn(chart: Selectable<ChartTable>): Promise<void> {
    const { db } = this.#context
    const form = parseJsonObject(chart.params)
    const { charts, layers } = listDrawn(form)
    if (charts.length > 0) {
      const is = sql<SqlBool>`chart.id in (${sql.join(charts)})`
      const rows = await db
        .selectFrom('chart')
        .selectAll()
        .where(and([is, ...accessConditions({ kind: 'chart' }, this.#context)]))
        .orderBy('id')
        .execute()
      for (const row of rows) await this.addChart(row)
    }
    if (layers.length === 0 || !hasPermission(this.#context.principal, ['can_read', 'Annotation'])) return
    const rows = await db.selectFrom('annotation_layer').selectAll().where('id', 'in', layers).orderBy('id').execute()
    for (const row of rows) await this.addAnnotationLayer(row)
  }

  async addAnnotationLayer(layer: Selectable<AnnotationLayerTable>): Promise<void> {
    if (this.#layers.has(layer.id)) return
    this.#layers.add(layer.id)
    const { db } = this.#context
    const annotations = await db
      .selectFrom('annotation')
      .selectAll()
      .where('layer_id', '=', layer.id)
      .orderBy('id')
      .execute()
    await this.#put(
      `annotation_layers/${toFileName(layer.name)}_${layer.id}`,
      layer.id,
      exportAnnotationLayer(layer, annotations),
    )
  }

  async addCssTemplate(template: Selectable<CssTemplateTable>): Promise<void> {
    await this.#put(
      `css_templates/${toFileName(template.template_name ?? '')}_${template.id}`,
      template.id,
      exportCssTemplate(template),
    )
  }

  async addDashboard(dashboard: Selectable<DashboardTable>): Promise<void> {
    await this.#yielder.yieldIfDue()
    const onDashboard = sql<SqlBool>`chart.id in (select chart_id from dashboard_chart where dashboard_id = ${dashboard.id})`
    const exported: ExportedChart[] = []
    for await (const chart of visibleRowsInPages<Selectable<ChartTable>>('chart', onDashboard, this.#context))
      if (await this.addChart(chart)) exported.push(pickExportedFields(chart))
    const uuids = new Map<number, string>()
    for (const id of findFilterDatasets(dashboard)) {
      const dataset = await this.#dataset(id)
      if (dataset) uuids.set(id, dataset.uuid)
    }
    const name = toFileName(dashboard.dashboard_title ?? '')
    await this.#put(
      `dashboards/${name}_${dashboard.id}`,
      dashboard.id,
      exportDashboard(dashboard, {
        charts: exported,
        datasetUuids: uuids,
        themeUuid: await this.#theme(dashboard),
        tags: await this.#listTags('dashboard', dashboard.id),
      }),
    )
    await this.#images(dashboard)
  }

  /** Adds the images that the dashboard refers to; images used only by older versions are excluded. */
  async #images(dashboard: Selectable<DashboardTable>): Promise<void> {
    const { db } = this.#context
    const referenced = findFileHashes(dashboard)
    for (const { hash, media_type } of await listDashboardFiles(db, dashboard.id)) {
      const path = imagePath(hash, imageTypes[media_type])
      if (!referenced.has(hash) || this.#files.has(path)) continue
      const file = await findDashboardFile(db, dashboard.id, hash)
      if (file) await this.#files.set(path, { base64: file.bytes.toString('base64') })
    }
  }

  /** Names of the object's custom tags. Implicit tags are not exported, because they are derived from the object. */
  async #listTags(kind: 'chart' | 'dashboard', id: number): Promise<string[]> {
    const tags = this.#context.hasTags ? await listCustomTags(this.#context, kind, id) : []
    for (const { name, description } of tags) this.#tags.set(name, description)
    return tags.map(({ name }) => name)
  }

  async #theme({ theme_id }: Selectable<DashboardTable>): Promise<string | undefined> {
    if (theme_id === null) return undefined
    const { db } = this.#context
    const theme = await db.selectFrom('theme').selectAll().where('id', '=', theme_id).executeTakeFirst()
    return theme && this.addTheme(theme)
  }

  /** @returns UUID of the theme */
  async addTheme(theme: Selectable<ThemeTable>): Promise<string> {
    if (this.#themes.has(theme.id)) return theme.uuid
    this.#themes.add(theme.id)
    await this.#put(`themes/${toFileName(theme.theme_name)}_${theme.id}`, theme.id, exportTheme(theme))
    return theme.uuid
  }

  async addSavedQuery(query: Selectable<SavedQueryTable>): Promise<void> {
    const database = query.db_id === null ? undefined : await this.#database(query.db_id)
    if (!database) return
    const folders = [database.database_name, query.schema]
      .filter((name) => name)
      .map((name) => toFileName(String(name)))
    const path = ['queries', ...folders, toFileName(query.label ?? '')].join('/')
    await this.#put(path, query.id, exportSavedQuery(query, database.uuid))
  }

  async #database(id: number): Promise<Selectable<DatabaseTable> | undefined> {
    if (this.#databases.has(id)) return this.#databases.get(id)
    const { db } = this.#context
    const is = sql<SqlBool>`database.id = ${id}`
    const row = await db
      .selectFrom('database')
      .selectAll()
      .where(and([is, ...accessConditions({ kind: 'database' }, this.#context)]))
      .executeTakeFirst()
    this.#databases.set(id, row)
    if (row) await this.#put(`databases/${toFileName(row.database_name)}`, id, exportDatabase(row))
    return row
  }

  async #dataset(id: number): Promise<{ uuid: string } | undefined> {
    if (this.#datasets.has(id)) return this.#datasets.get(id)
    await this.#yielder.yieldIfDue()
    const { db } = this.#context
    const is = sql<SqlBool>`dataset.id = ${id}`
    const visible = await db
      .selectFrom('dataset')
      .select('uuid')
      .where(and([is, ...accessConditions({ kind: 'dataset' }, this.#context)]))
      .executeTakeFirst()
    const parts = visible && (await readDataset(db, id))
    const database = parts && (await this.#database(parts.database.id))
    this.#datasets.set(id, database && visible)
    if (!database || !parts) return undefined
    const path = `datasets/${toFileName(database.database_name)}/${toFileName(parts.row.table_name)}`
    await this.#put(path, id, exportDataset(parts))
    return visible
  }

  /** Appends the id when names collide after characters not allowed in file names are removed. */
  async #put(path: string, id: number, document: Document): Promise<void> {
    const file = this.#files.has(`${path}.yaml`) ? `${path}_${id}.yaml` : `${path}.yaml`
    const { accepted, others } = splitDocument(file, document)
    await this.#files.set(file, accepted)
    if (Object.keys(others).length > 0)
      await this.#files.set(otherFieldsPath(file), { uuid: document['uuid'], ...others })
  }
}

const pickExportedFields = ({ id, uuid, slice_name }: ExportedChart): ExportedChart => ({ id, uuid, slice_name })

/** Datasets queried by the filters of a dashboard. */
function findFilterDatasets({ json_metadata }: Selectable<DashboardTable>): Set<number> {
  const metadata = (json_metadata ? parseExactJson(json_metadata) : {}) as Document | null
  const filters = metadata?.['native_filter_configuration']
  const found = new Set<number>()
  for (const filter of Array.isArray(filters) ? (filters as (Document | null)[]) : [])
    for (const target of Array.isArray(filter?.['targets']) ? (filter['targets'] as (Document | null)[]) : [])
      if (typeof target?.['datasetId'] === 'number') found.add(target['datasetId'])
  return found
}
