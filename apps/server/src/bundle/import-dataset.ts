import { isLocalUrl, message } from '@parquetry/model'
import { parseGenericType } from '@parquetry/query'
import type { Kysely } from 'kysely'
import { randomUUID } from 'node:crypto'
import { checkChildren } from '../dataset/change-children.ts'
import { FieldErrorCollector } from '../http/writing.ts'
import { importFolders, FolderError, readStoredFolders, exportFolders } from '../dataset/folders.ts'
import { readDataset, type StoredDataset } from '../dataset/stored-dataset.ts'
import { storeNameChanges, diffNames } from '../dataset/missing-references.ts'
import { readDatasetDocument, updateChartDatasetNames } from '../dataset/save-dataset.ts'
import { recordRuleTables } from '../row-level-security/rule-tables.ts'
import type { Tables } from '../store/tables.ts'
import { parseStoredTime } from '../store/time.ts'
import { exportDataset } from './export-documents.ts'
import { createFieldReader, databaseNotInBundle, fileProblem } from './fields.ts'
import { recordVersionAfter, recordVersionBefore } from './import-history.ts'
import type { KindImporter, ReadScope, StoredIdentity, WriteScope } from './import-scope.ts'
import { pickOtherFields } from './other-fields.ts'
import { deriveUuid } from './source-ids.ts'

type Document = Record<string, unknown>

const knownFields = [
  'table_name',
  'main_dttm_col',
  'description',
  'default_endpoint',
  'offset',
  'cache_timeout',
  'catalog',
  'schema',
  'sql',
  'params',
  'template_params',
  'filter_select_enabled',
  'fetch_values_predicate',
  'extra',
  'normalize_columns',
  'always_filter_main_dttm',
  'folders',
  'uuid',
  'metrics',
  'columns',
  'version',
  'database_uuid',
  'database_name',
  // Address of the rows of an example.
  'data',
  'is_managed_externally',
  'external_url',
]

const columnFields = [
  'column_name',
  'verbose_name',
  'is_dttm',
  'is_active',
  'type',
  'advanced_data_type',
  'groupby',
  'filterable',
  'expression',
  'description',
  'python_date_format',
  'extra',
]

const metricFields = [
  'metric_name',
  'verbose_name',
  'metric_type',
  'expression',
  'description',
  'd3format',
  'currency',
  'extra',
  'warning_text',
]

function readColumn(document: Document, path: string) {
  const fields = createFieldReader(document, path)
  return {
    column_name: fields.required('column_name'),
    verbose_name: fields.text('verbose_name'),
    description: fields.text('description'),
    expression: fields.text('expression'),
    type: fields.text('type'),
    advanced_data_type: fields.text('advanced_data_type') || null,
    type_generic: parseGenericType(fields.text('type')),
    is_dttm: fields.truth('is_dttm'),
    is_active: fields.truth('is_active', true),
    groupby: fields.truth('groupby', true),
    filterable: fields.truth('filterable', true),
    python_date_format: fields.text('python_date_format') || null,
    extra: fields.json('extra'),
    other_fields: pickOtherFields(document, columnFields),
  }
}

function readMetric(document: Document, path: string) {
  const fields = createFieldReader(document, path)
  return {
    metric_name: fields.required('metric_name'),
    verbose_name: fields.text('verbose_name'),
    description: fields.text('description'),
    expression: fields.required('expression'),
    metric_type: fields.text('metric_type') || null,
    d3format: fields.text('d3format') || null,
    currency: fields.json('currency'),
    warning_text: fields.text('warning_text'),
    extra: fields.json('extra'),
    other_fields: pickOtherFields(document, metricFields),
  }
}

/** The database of a dataset; old exports name one that they contain, or that exists here. */
async function findDatabase(
  document: Document,
  path: string,
  { db, references, canUseDatabase }: ReadScope,
): Promise<number> {
  const fields = createFieldReader(document, path)
  const name = fields.text('database_uuid') === null ? fields.text('database_name') : null
  const bundled = name === null ? undefined : references.databases.get(deriveUuid('database', name))
  if (bundled !== undefined) return bundled
  const named =
    name === null
      ? undefined
      : await db.selectFrom('database').select('id').where('database_name', '=', name).executeTakeFirst()
  // One that the importer may not see counts as missing.
  if (name !== null && !(named && (canUseDatabase ? await canUseDatabase(named.id) : true)))
    throw fileProblem(path, {
      database_name: [
        message('errors.bundle.noNamedDatabase', 'There is no database named {name} here. Connect it first.', { name }),
      ],
    })
  const id = named?.id ?? references.databases.get(fields.required('database_uuid'))
  if (id === undefined) throw fileProblem(path, { database_uuid: [databaseNotInBundle] })
  return id
}

/** Addresses outside this server, which lists would link to, are left out. */
function readEndpoint(address: string | null, { note }: ReadScope): string | null {
  if (!address || isLocalUrl(address)) return address
  note(
    message(
      'errors.bundle.foreignEndpoint',
      'Its default_endpoint was left out, because it is not an address of this server.',
    ),
  )
  return null
}

async function readContent(document: Document, path: string, scope: ReadScope) {
  const fields = createFieldReader(document, path)
  return {
    database_id: await findDatabase(document, path, scope),
    table_name: fields.required('table_name'),
    schema: fields.text('schema'),
    catalog: fields.text('catalog'),
    sql: fields.text('sql'),
    main_dttm_col: fields.text('main_dttm_col'),
    description: fields.text('description'),
    default_endpoint: readEndpoint(fields.text('default_endpoint'), scope),
    offset: fields.integer('offset') ?? 0,
    cache_timeout: fields.integer('cache_timeout'),
    params: fields.json('params'),
    template_params: fields.json('template_params'),
    extra: fields.json('extra'),
    filter_select_enabled: fields.truth('filter_select_enabled', true),
    fetch_values_predicate: fields.text('fetch_values_predicate'),
    normalize_columns: fields.truth('normalize_columns'),
    always_filter_main_dttm: fields.truth('always_filter_main_dttm'),
    is_managed_externally: fields.truth('is_managed_externally'),
    external_url: fields.text('external_url'),
    other_fields: pickOtherFields(document, knownFields),
    /** By the names of columns and metrics; null keeps the folders that the dataset has. */
    folders: document['folders'] === undefined ? null : fields.list('folders'),
    columns: fields.list('columns').map((column) => readColumn(column, path)),
    metrics: fields.list('metrics').map((metric) => readMetric(metric, path)),
  }
}

export type DatasetContent = Awaited<ReturnType<typeof readContent>>

/** Maximum number of rows per statement. Other work in the store waits for each statement, and for all of them. */
const rowsPerStatement = 100

function* splitIntoChunks<R>(rows: readonly R[]): Generator<readonly R[]> {
  for (let index = 0; index < rows.length; index += rowsPerStatement) yield rows.slice(index, index + rowsPerStatement)
}

/** Writes the columns, metrics and folders of a dataset that has none. */
async function writeChildren(
  id: number,
  content: Pick<DatasetContent, 'columns' | 'metrics'>,
  folders: Parameters<typeof importFolders>[0],
  { db, at, yielder }: WriteScope,
): Promise<void> {
  const audit = { dataset_id: id, created_on: at, changed_on: at }
  const columns = content.columns.map((column) => ({ ...column, ...audit, uuid: randomUUID() }))
  const metrics = content.metrics.map((metric) => ({ ...metric, ...audit, uuid: randomUUID() }))
  for (const rows of splitIntoChunks(columns)) {
    await db.insertInto('dataset_column').values(rows).execute()
    await yielder.yieldIfDue()
  }
  for (const rows of splitIntoChunks(metrics)) {
    await db.insertInto('dataset_metric').values(rows).execute()
    await yielder.yieldIfDue()
  }
  const resolvedFolders = importFolders(folders, { columns, metrics })
  if (resolvedFolders.length > 0)
    await db
      .updateTable('dataset')
      .set({ folders: JSON.stringify(resolvedFolders) })
      .where('id', '=', id)
      .execute()
}

/** Returns the current folders with item names instead of UUIDs, because columns and metrics are recreated. */
async function readFoldersByName(db: Kysely<Tables>, id: number) {
  const row = await db.selectFrom('dataset').select('folders').where('id', '=', id).executeTakeFirst()
  if (!row?.folders) return []
  const [columns, metrics] = await Promise.all([
    db.selectFrom('dataset_column').select(['uuid', 'column_name']).where('dataset_id', '=', id).execute(),
    db.selectFrom('dataset_metric').select(['uuid', 'metric_name']).where('dataset_id', '=', id).execute(),
  ])
  return exportFolders(readStoredFolders({ folders: row.folders }), { columns, metrics })
}

/** @throws AppError `unprocessable` for two columns or metrics with the same name */
function checkNames({ columns, metrics }: DatasetContent, path: string): void {
  const errors = new FieldErrorCollector((found) => fileProblem(path, found))
  const [columnNames, metricNames] = [
    columns.map(({ column_name: name }) => ({ name })),
    metrics.map(({ metric_name: name }) => ({ name })),
  ]
  checkChildren('columns', columnNames, [], errors)
  checkChildren('metrics', metricNames, [], errors)
  errors.throwIfAny()
}

/** @throws AppError `unprocessable` for folders that cannot be stored */
function checkFolders({ folders, columns, metrics }: DatasetContent, path: string): void {
  const withUuid = <T extends object>(rows: readonly T[]) => rows.map((row) => ({ ...row, uuid: randomUUID() }))
  try {
    if (folders) importFolders(folders, { columns: withUuid(columns), metrics: withUuid(metrics) })
  } catch (error) {
    throw error instanceof FolderError ? fileProblem(path, { folders: [error.message] }) : error
  }
}

type DatasetFields = Omit<DatasetContent, 'columns' | 'metrics' | 'folders'>

const sourceFields = ['database_id', 'catalog', 'schema', 'table_name', 'sql', 'template_params'] as const

/** The importer answers for SQL that the import changes; what stays is still its author's. */
const isSourceChanged = (row: DatasetFields, before: StoredDataset | undefined): boolean =>
  !before || sourceFields.some((field) => (row[field] || null) !== (before.row[field] || null))

function isExpressionChanged(
  { row, columns, metrics }: Pick<DatasetContent, 'columns' | 'metrics'> & { row: DatasetFields },
  before: StoredDataset | undefined,
): boolean {
  if (!before || row.database_id !== before.row.database_id || isSourceChanged(row, before)) return true
  const known = new Set(
    [
      before.row.fetch_values_predicate,
      ...before.columns.map(({ expression }) => expression),
      ...before.metrics.map(({ expression }) => expression),
    ].filter(Boolean),
  )
  const now = [row.fetch_values_predicate, ...[...columns, ...metrics].map(({ expression }) => expression)]
  return now.some((expression) => expression && !known.has(expression))
}

/** Imports a dataset. Replacing an existing one also replaces its columns and metrics. */
export const datasetImporter: KindImporter<DatasetContent> = {
  kind: 'dataset',

  async read(document, path, scope) {
    const content = await readContent(document, path, scope)
    checkNames(content, path)
    checkFolders(content, path)
    return content
  },

  async readStored(db, { id }, scope) {
    const stored = await readDataset(db, id)
    if (!stored) return undefined
    const databases = new Map([[stored.database.uuid, stored.database.id]])
    return readContent(exportDataset(stored), '', { ...scope, references: { ...scope.references, databases } })
  },

  async create({ columns, metrics, folders, ...row }, identity, scope) {
    const { db, authorId, at } = scope
    const creation = { ...identity, is_sqllab_view: 0, sql_by_fk: authorId, expressions_by_fk: authorId }
    const audit = { created_on: at, created_by_fk: authorId, changed_on: at, changed_by_fk: authorId }
    const { id } = await db
      .insertInto('dataset')
      .values({ ...row, ...creation, ...audit })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (authorId !== null) await db.insertInto('dataset_owner').values({ dataset_id: id, user_id: authorId }).execute()
    await writeChildren(id, { columns, metrics }, folders ?? [], scope)
    return id
  },

  async replace({ columns, metrics, folders, ...row }, stored: StoredIdentity, scope) {
    const { db, authorId, at } = scope
    const { id } = stored
    await recordVersionBefore(scope, 'dataset', stored, readDatasetDocument)
    const before = await readDataset(db, id)
    const kept = folders ?? (await readFoldersByName(db, id))
    await db
      .updateTable('dataset')
      .set({
        ...row,
        folders: null,
        ...(isSourceChanged(row, before) && { sql_by_fk: authorId }),
        ...(isExpressionChanged({ columns, metrics, row }, before) && { expressions_by_fk: authorId }),
        changed_on: at,
        changed_by_fk: authorId,
      })
      .where('id', '=', id)
      .execute()
    await recordRuleTables(db, id)
    if (before) await updateChartDatasetNames(db, before.row, row)
    await db.deleteFrom('dataset_column').where('dataset_id', '=', id).execute()
    await db.deleteFrom('dataset_metric').where('dataset_id', '=', id).execute()
    await writeChildren(id, { columns, metrics }, kept, scope)
    await recordVersionAfter(scope, 'dataset', stored, readDatasetDocument)
    const after = before && (await readDataset(db, id))
    if (before && after)
      await storeNameChanges(db, stored, diffNames(before, after), { author: authorId, now: parseStoredTime(at) })
  },
}
