import { genericTypeOf } from '@parquetry/query'
import { randomUUID } from 'node:crypto'
import { arrivedFolders, FolderProblem, foldersOf, namedFolders } from '../dataset/folders.ts'
import { readDataset, type StoredDataset } from '../dataset/describe.ts'
import { keepNameChanges, nameChanges } from '../dataset/lost-names.ts'
import { datasetDocument } from '../dataset/save-dataset.ts'
import { timeOf } from '../store/time.ts'
import { existsAlready, fieldsOf } from './fields.ts'
import type { ImportContext } from './import-bundle.ts'
import { keptAfter, keptBefore } from './kept-versions.ts'

type Document = Record<string, unknown>

/** A dataset of a bundle with its columns and metrics; replacing one replaces those as well. */
export async function importDataset(document: Document, path: string, context: ImportContext): Promise<void> {
  const { db, ids, authorId, at } = context
  const fields = fieldsOf(document, path)
  const uuid = fields.required('uuid')
  const found = await db.selectFrom('dataset').select(['id', 'folders']).where('uuid', '=', uuid).executeTakeFirst()
  if (found) {
    ids.datasets.set(uuid, found.id)
    if (context.mainFolder !== 'datasets' && context.mainFolder !== 'all') return
    if (!context.overwrite) {
      context.problems[path] = existsAlready('Dataset')
      return
    }
  }
  const databaseId = ids.databases.get(fields.required('database_uuid'))
  if (databaseId === undefined) {
    context.problems[path] = { database_uuid: ['The bundle does not contain this database.'] }
    return
  }
  const row = {
    database_id: databaseId,
    table_name: fields.required('table_name'),
    schema: fields.text('schema'),
    catalog: fields.text('catalog'),
    sql: fields.text('sql'),
    main_dttm_col: fields.text('main_dttm_col'),
    description: fields.text('description'),
    default_endpoint: fields.text('default_endpoint'),
    offset: fields.number('offset') ?? 0,
    cache_timeout: fields.number('cache_timeout'),
    params: fields.json('params'),
    template_params: fields.json('template_params'),
    extra: fields.json('extra'),
    filter_select_enabled: fields.truth('filter_select_enabled', true),
    fetch_values_predicate: fields.text('fetch_values_predicate'),
    sql_by_fk: authorId,
    expressions_by_fk: authorId,
    normalize_columns: fields.truth('normalize_columns'),
    always_filter_main_dttm: fields.truth('always_filter_main_dttm'),
    changed_on: at,
    changed_by_fk: authorId,
  }
  // A bundle that knows no folders takes none away.
  const folders = document['folders'] === undefined && found ? await foldersByName(db, found) : fields.list('folders')
  let id = found?.id
  let before: StoredDataset | undefined
  if (id === undefined) {
    const born = {
      uuid,
      is_sqllab_view: 0,
      is_managed_externally: 0,
      external_url: null,
      created_on: at,
      created_by_fk: authorId,
    }
    id = (
      await db
        .insertInto('dataset')
        .values({ ...row, ...born })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
    ids.datasets.set(uuid, id)
    if (authorId !== null) await db.insertInto('dataset_owner').values({ dataset_id: id, user_id: authorId }).execute()
  } else {
    await keptBefore(context, 'dataset', { id, uuid }, datasetDocument)
    before = await readDataset(db, id)
    await db.updateTable('dataset').set(row).where('id', '=', id).execute()
    await db.deleteFrom('dataset_column').where('dataset_id', '=', id).execute()
    await db.deleteFrom('dataset_metric').where('dataset_id', '=', id).execute()
  }
  const { rests } = context
  const columns = fields.list('columns').map((column) => columnRow(column, id, path, at))
  const metrics = fields.list('metrics').map((metric) => metricRow(metric, id, path, at))
  for (const rows of chunksOf(columns)) {
    await db.insertInto('dataset_column').values(rows).execute()
    await rests.rest()
  }
  for (const rows of chunksOf(metrics)) {
    await db.insertInto('dataset_metric').values(rows).execute()
    await rests.rest()
  }
  try {
    const arrived = arrivedFolders(folders, { columns, metrics })
    const text = arrived.length > 0 ? JSON.stringify(arrived) : null
    await db.updateTable('dataset').set({ folders: text }).where('id', '=', id).execute()
  } catch (error) {
    if (!(error instanceof FolderProblem)) throw error
    context.problems[path] = { folders: [error.message] }
    return
  }
  if (found) await keptAfter(context, 'dataset', { id, uuid }, datasetDocument)
  const after = before && (await readDataset(db, id))
  if (before && after)
    await keepNameChanges(db, { id, uuid }, nameChanges(before, after), { author: authorId, now: timeOf(at) })
}

/** The folders of today with the names of what lies in them: the columns and metrics are made anew. */
async function foldersByName(db: ImportContext['db'], { id, folders }: { id: number; folders: string | null }) {
  if (folders === null) return []
  const [columns, metrics] = await Promise.all([
    db.selectFrom('dataset_column').select(['uuid', 'column_name']).where('dataset_id', '=', id).execute(),
    db.selectFrom('dataset_metric').select(['uuid', 'metric_name']).where('dataset_id', '=', id).execute(),
  ])
  return namedFolders(foldersOf({ folders }), { columns, metrics })
}

/** Rows of one statement: the rest of the store waits for each, and for all of them. */
const rowsAtOnce = 100

function* chunksOf<R>(rows: readonly R[]): Generator<readonly R[]> {
  for (let at = 0; at < rows.length; at += rowsAtOnce) yield rows.slice(at, at + rowsAtOnce)
}

function columnRow(document: Document, dataset_id: number, path: string, at: string) {
  const fields = fieldsOf(document, path)
  return {
    uuid: randomUUID(),
    dataset_id,
    column_name: fields.required('column_name'),
    verbose_name: fields.text('verbose_name'),
    description: fields.text('description'),
    expression: fields.text('expression'),
    type: fields.text('type'),
    advanced_data_type: fields.text('advanced_data_type'),
    type_generic: genericTypeOf(fields.text('type')),
    is_dttm: fields.truth('is_dttm'),
    is_active: fields.truth('is_active', true),
    groupby: fields.truth('groupby', true),
    filterable: fields.truth('filterable', true),
    python_date_format: fields.text('python_date_format'),
    extra: fields.json('extra'),
    created_on: at,
    changed_on: at,
  }
}

function metricRow(document: Document, dataset_id: number, path: string, at: string) {
  const fields = fieldsOf(document, path)
  return {
    uuid: randomUUID(),
    dataset_id,
    metric_name: fields.required('metric_name'),
    verbose_name: fields.text('verbose_name'),
    description: fields.text('description'),
    expression: fields.required('expression'),
    metric_type: fields.text('metric_type'),
    d3format: fields.text('d3format'),
    currency: fields.json('currency'),
    warning_text: fields.text('warning_text'),
    extra: fields.json('extra'),
    created_on: at,
    changed_on: at,
  }
}
