import { message } from '@parquetry/model'
import { readChartDocument } from '../chart/save-chart.ts'
import { datasetName } from '../dataset/stored-dataset.ts'
import { parseObject } from '../http/json-body.ts'
import { listCustomTags } from '../http/tags.ts'
import { exportChart } from './export-documents.ts'
import { createFieldReader, fileProblem } from './fields.ts'
import { recordVersionAfter, recordVersionBefore } from './import-history.ts'
import type { KindImporter, ReadScope } from './import-scope.ts'
import { readTagNames, writeTags } from './import-tags.ts'
import { pickOtherFields } from './other-fields.ts'
import { remapForm, remapQueryContext } from './remap-form.ts'

type Document = Record<string, unknown>

const knownFields = [
  'slice_name',
  'description',
  'certified_by',
  'certification_details',
  'viz_type',
  'params',
  'query_context',
  'cache_timeout',
  'uuid',
  'version',
  'dataset_uuid',
  'tags',
  'is_managed_externally',
  'external_url',
]

const noDataset = message('errors.bundle.noDataset', 'The bundle does not contain this dataset, or it is not imported.')

/** A query context over the dataset; null for one that cannot be read. */
function readContext(text: string | null, datasetId: number, scope: ReadScope): string | null {
  const context = parseObject(text)
  return Object.keys(context).length === 0 ? null : JSON.stringify(remapQueryContext(context, datasetId, scope))
}

function readContent(document: Document, path: string, scope: ReadScope) {
  const fields = createFieldReader(document, path)
  const dataset = scope.references.datasets.get(fields.required('dataset_uuid'))
  if (!dataset) throw fileProblem(path, { dataset_uuid: [noDataset] })
  const viz_type = fields.required('viz_type')
  const form = fields.object('params')
  return {
    slice_name: fields.required('slice_name'),
    viz_type,
    datasource_id: dataset.id,
    datasource_type: 'table',
    datasource_name: dataset.name,
    params: JSON.stringify(remapForm(form, dataset.id, scope)),
    query_context: readContext(fields.json('query_context'), dataset.id, scope),
    description: fields.text('description'),
    cache_timeout: fields.integer('cache_timeout'),
    certified_by: fields.text('certified_by'),
    certification_details: fields.text('certification_details'),
    is_managed_externally: fields.truth('is_managed_externally'),
    external_url: fields.text('external_url'),
    other_fields: pickOtherFields(document, knownFields),
    tags: readTagNames(document, path),
  }
}

/** Imports a chart. Its form data gets the id of the dataset in this store instead of the bundle's. */
export const chartImporter: KindImporter<ReturnType<typeof readContent>> = {
  kind: 'chart',
  read: readContent,

  async readStored(db, { id }, scope) {
    const row = await db.selectFrom('chart').selectAll().where('id', '=', id).executeTakeFirst()
    const dataset =
      row &&
      (await db
        .selectFrom('dataset')
        .select(['id', 'uuid', 'schema', 'table_name'])
        .where('id', '=', row.datasource_id)
        .executeTakeFirst())
    if (!dataset) return undefined
    const tags = await listCustomTags({ db }, 'chart', id)
    const document = exportChart(
      row,
      dataset.uuid,
      tags.map(({ name }) => name),
    )
    const datasets = new Map([[dataset.uuid, { id: dataset.id, name: datasetName(dataset) }]])
    return readContent(document, '', { ...scope, references: { ...scope.references, datasets } })
  },

  async create({ tags, ...row }, identity, scope) {
    const { db, authorId, at } = scope
    const { id } = await db
      .insertInto('chart')
      .values({
        ...row,
        ...identity,
        last_saved_at: at,
        last_saved_by_fk: authorId,
        created_on: at,
        created_by_fk: authorId,
        changed_on: at,
        changed_by_fk: authorId,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (authorId !== null) await db.insertInto('chart_owner').values({ chart_id: id, user_id: authorId }).execute()
    await writeTags(tags, { kind: 'chart', id }, scope)
    return id
  },

  async replace({ tags, ...row }, stored, scope) {
    const { db, authorId, at } = scope
    await recordVersionBefore(scope, 'chart', stored, readChartDocument)
    await db
      .updateTable('chart')
      .set({ ...row, last_saved_at: at, last_saved_by_fk: authorId, changed_on: at, changed_by_fk: authorId })
      .where('id', '=', stored.id)
      .execute()
    await recordVersionAfter(scope, 'chart', stored, readChartDocument)
    await writeTags(tags, { kind: 'chart', id: stored.id }, scope)
  },
}
