import { message } from '@parquetry/model'
import { readChartDocument } from '../chart/save-chart.ts'
import { parseObject } from '../http/json-body.ts'
import { formatAlreadyExists, createFieldReader } from './fields.ts'
import type { ImportContext } from './import-bundle.ts'
import { importTags } from './import-tags.ts'
import { recordVersionAfter, recordVersionBefore } from './import-history.ts'

/** A query context over a dataset of this store, without ids of the other one; null for one that cannot be read. */
function withDataset(text: string | null, datasetId: number): string | null {
  const context = parseObject(text)
  if (Object.keys(context).length === 0) return null
  const datasource = { id: datasetId, type: 'table' }
  const form = context['form_data']
  if (typeof form !== 'object' || form === null) return JSON.stringify({ ...context, datasource })
  const { slice_id: _, dashboards: __, dashboardId: ___, ...others } = form as Record<string, unknown>
  return JSON.stringify({ ...context, datasource, form_data: { ...others, datasource: `${datasetId}__table` } })
}

/** Imports a chart. Its form data gets the id of the dataset in this store instead of the bundle's. */
export async function importChart(
  document: Record<string, unknown>,
  path: string,
  context: ImportContext,
): Promise<void> {
  const { db, ids, authorId, at } = context
  const fields = createFieldReader(document, path)
  const uuid = fields.required('uuid')
  const found = await db.selectFrom('chart').select('id').where('uuid', '=', uuid).executeTakeFirst()
  if (found) {
    ids.charts.set(uuid, found.id)
    const isMain = context.mainFolder === 'charts' || context.mainFolder === 'all'
    if (!context.overwrite) {
      if (isMain) context.problems[path] = formatAlreadyExists('Chart')
      return
    }
    // A dashboard is imported with its charts; the charts of datasets and databases are not in their bundles.
    if (!isMain && context.mainFolder !== 'dashboards') return
  }
  const datasetUuid = fields.required('dataset_uuid')
  const datasetId = ids.datasets.get(datasetUuid)
  if (datasetId === undefined) {
    const text = message('errors.bundle.noDataset', 'The bundle does not contain this dataset.')
    context.problems[path] = { dataset_uuid: [text] }
    return
  }
  const dataset = await db
    .selectFrom('dataset')
    .select(['schema', 'table_name'])
    .where('id', '=', datasetId)
    .executeTakeFirstOrThrow()
  const params = document['params']
  const {
    slice_id: _,
    dashboards: __,
    ...form
  } = (typeof params === 'object' && params !== null ? params : {}) as Record<string, unknown>
  const row = {
    slice_name: fields.required('slice_name'),
    viz_type: fields.required('viz_type'),
    datasource_id: datasetId,
    datasource_type: 'table',
    datasource_name: dataset.schema ? `${dataset.schema}.${dataset.table_name}` : dataset.table_name,
    params: JSON.stringify({ ...form, datasource: `${datasetId}__table` }),
    query_context: withDataset(fields.json('query_context'), datasetId),
    description: fields.text('description'),
    cache_timeout: fields.number('cache_timeout'),
    certified_by: fields.text('certified_by'),
    certification_details: fields.text('certification_details'),
    last_saved_at: at,
    last_saved_by_fk: authorId,
    changed_on: at,
    changed_by_fk: authorId,
  }
  if (found) {
    await recordVersionBefore(context, 'chart', { id: found.id, uuid }, readChartDocument)
    await db.updateTable('chart').set(row).where('id', '=', found.id).execute()
    await recordVersionAfter(context, 'chart', { id: found.id, uuid }, readChartDocument)
    await importTags(document, path, { kind: 'chart', id: found.id }, context)
    return
  }
  const creationFields = { uuid, is_managed_externally: 0, external_url: null, created_on: at, created_by_fk: authorId }
  const { id } = await db
    .insertInto('chart')
    .values({ ...row, ...creationFields })
    .returning('id')
    .executeTakeFirstOrThrow()
  ids.charts.set(uuid, id)
  await importTags(document, path, { kind: 'chart', id }, context)
  if (authorId !== null) await db.insertInto('chart_owner').values({ chart_id: id, user_id: authorId }).execute()
}
