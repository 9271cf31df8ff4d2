import { parseGenericType } from '@parquetry/query'
import { randomUUID } from 'node:crypto'
import { importFolders, FolderError, readStoredFolders, exportFolders } from '../dataset/folders.ts'
import { readDataset, type StoredDataset } from '../dataset/stored-dataset.ts'
import { storeNameChanges, diffNames } from '../dataset/missing-references.ts'
import { readDatasetDocument } from '../dataset/save-dataset.ts'
import { recordRuleTables } from '../row-level-security/rule-tables.ts'
import { parseStoredTime } from '../store/time.ts'
import { formatAlreadyExists, createFieldReader } from './fields.ts'
import type { ImportContext } from './import-bundle.ts'
import { recordVersionAfter, recordVersionBefore } from './import-history.ts'

type Document = Record<string, unknown>

/** Imports a dataset. Replacing an existing one also replaces its columns and metrics. */
export async function importDataset(document: Document, path: string, context: ImportContext): Promise<void> {
  const { db, ids, authorId, at } = context
  const fields = createFieldReader(document, path)
  const uuid = fields.required('uuid')
  const found = await db.selectFrom('dataset').select(['id', 'folders']).where('uuid', '=', uuid).executeTakeFirst()
  if (found) {
    ids.datasets.set(uuid, found.id)
    if (context.mainFolder !== 'datasets' && context.mainFolder !== 'all') return
    if (!context.overwrite) {
      context.problems[path] = formatAlreadyExists('Dataset')
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
  // A bundle without folders leaves existing ones unchanged.
  const folders =
    document['folders'] === undefined && found ? await readFoldersByName(db, found) : fields.list('folders')
  let id = found?.id
  let before: StoredDataset | undefined
  if (id === undefined) {
    const creationFields = {
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
        .values({ ...row, ...creationFields })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
    ids.datasets.set(uuid, id)
    if (authorId !== null) await db.insertInto('dataset_owner').values({ dataset_id: id, user_id: authorId }).execute()
  } else {
    await recordVersionBefore(context, 'dataset', { id, uuid }, readDatasetDocument)
    before = await readDataset(db, id)
    await db.updateTable('dataset').set(row).where('id', '=', id).execute()
    await recordRuleTables(db, id)
    await db.deleteFrom('dataset_column').where('dataset_id', '=', id).execute()
    await db.deleteFrom('dataset_metric').where('dataset_id', '=', id).execute()
  }
  const { yielder } = context
  const columns = fields.list('columns').map((column) => columnRow(column, id, path, at))
  const metrics = fields.list('metrics').map((metric) => metricRow(metric, id, path, at))
  for (const rows of splitIntoChunks(columns)) {
    await db.insertInto('dataset_column').values(rows).execute()
    await yielder.yieldIfDue()
  }
  for (const rows of splitIntoChunks(metrics)) {
    await db.insertInto('dataset_metric').values(rows).execute()
    await yielder.yieldIfDue()
  }
  try {
    const resolvedFolders = importFolders(folders, { columns, metrics })
    const text = resolvedFolders.length > 0 ? JSON.stringify(resolvedFolders) : null
    await db.updateTable('dataset').set({ folders: text }).where('id', '=', id).execute()
  } catch (error) {
    if (!(error instanceof FolderError)) throw error
    context.problems[path] = { folders: [error.message] }
    return
  }
  if (found) await recordVersionAfter(context, 'dataset', { id, uuid }, readDatasetDocument)
  const after = before && (await readDataset(db, id))
  if (before && after)
    await storeNameChanges(db, { id, uuid }, diffNames(before, after), { author: authorId, now: parseStoredTime(at) })
}

/** Returns the current folders with item names instead of UUIDs, because columns and metrics are recreated. */
async function readFoldersByName(db: ImportContext['db'], { id, folders }: { id: number; folders: string | null }) {
  if (folders === null) return []
  const [columns, metrics] = await Promise.all([
    db.selectFrom('dataset_column').select(['uuid', 'column_name']).where('dataset_id', '=', id).execute(),
    db.selectFrom('dataset_metric').select(['uuid', 'metric_name']).where('dataset_id', '=', id).execute(),
  ])
  return exportFolders(readStoredFolders({ folders }), { columns, metrics })
}

/** Maximum number of rows per statement. Other work in the store waits for each statement, and for all of them. */
const rowsPerStatement = 100

function* splitIntoChunks<R>(rows: readonly R[]): Generator<readonly R[]> {
  for (let index = 0; index < rows.length; index += rowsPerStatement) yield rows.slice(index, index + rowsPerStatement)
}

function columnRow(document: Document, dataset_id: number, path: string, timestamp: string) {
  const fields = createFieldReader(document, path)
  return {
    uuid: randomUUID(),
    dataset_id,
    column_name: fields.required('column_name'),
    verbose_name: fields.text('verbose_name'),
    description: fields.text('description'),
    expression: fields.text('expression'),
    type: fields.text('type'),
    advanced_data_type: fields.text('advanced_data_type'),
    type_generic: parseGenericType(fields.text('type')),
    is_dttm: fields.truth('is_dttm'),
    is_active: fields.truth('is_active', true),
    groupby: fields.truth('groupby', true),
    filterable: fields.truth('filterable', true),
    python_date_format: fields.text('python_date_format'),
    extra: fields.json('extra'),
    created_on: timestamp,
    changed_on: timestamp,
  }
}

function metricRow(document: Document, dataset_id: number, path: string, timestamp: string) {
  const fields = createFieldReader(document, path)
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
    created_on: timestamp,
    changed_on: timestamp,
  }
}
