import {
  type DatasetPost,
  type DatasetPut,
  type DescribedColumn,
  isLocalUrl,
  message,
  type Message,
} from '@parquetry/model'
import { isTemplate } from '@parquetry/templates'
import { type Insertable, type Kysely, sql, type Transaction, type Updateable } from 'kysely'
import { randomUUID } from 'node:crypto'
import type { ConnectionContext } from '../connection/describe-source.ts'
import type { DatabaseRow } from '../connection/source.ts'
import { refuseStale } from '../http/serve-resource.ts'
import {
  changedBy,
  toColumns,
  FieldErrorCollector,
  createdBy,
  authorizeChange,
  unprocessableFields,
  type WriteContext,
} from '../http/writing.ts'
import { checkEditors, readSubjects, selectIds, writeEditors } from '../http/subjects.ts'
import { can } from '../access/access.ts'
import { editorLinks } from '../access/subject-links.ts'
import { upsertDatasetPermission, removeDataPermission } from '../access/data-permissions.ts'
import { recordRuleTables } from '../row-level-security/rule-tables.ts'
import { tableKey } from '../connection/table-names.ts'
import type { DatasetTable, Tables } from '../store/tables.ts'
import { change } from '../store/write.ts'
import {
  checkChildren,
  toColumnRow,
  countMetric,
  insertAll,
  refreshColumns,
  replaceColumns,
  replaceMetrics,
} from './change-children.ts'
import { type DatasetRow, readDataset } from './stored-dataset.ts'
import { checkExpressions, buildUpdatedExpressions, hasNewExpressions } from './updated-expressions.ts'
import { checkTimeFormats } from './check-time-formats.ts'
import { FolderError, parseFolders } from './folders.ts'
import { storeNameChanges, diffNames, type NameChange } from './missing-references.ts'
import { SourceError, describeSourceColumns } from './source-columns.ts'

/** Context for changing a dataset: the caller, and access to the source. */
export type DatasetWriteContext = WriteContext & ConnectionContext

const write = ['can_write', 'Dataset'] as const
const plainFields = [
  'filter_select_enabled',
  'fetch_values_predicate',
  'description',
  'main_dttm_col',
  'normalize_columns',
  'always_filter_main_dttm',
  'default_endpoint',
  'cache_timeout',
  'is_sqllab_view',
  'template_params',
  'extra',
  'is_managed_externally',
  'external_url',
] as const

/** The dataset with its columns, metrics and owners, for its version history. */
export async function readDatasetDocument(db: Kysely<Tables>, id: number): Promise<object | null> {
  const stored = await readDataset(db, id)
  if (!stored) return null
  const editors = await readSubjects(db, editorLinks.dataset, id)
  const { row, columns, metrics } = stored
  return { ...row, columns, metrics, owners: selectIds(editors, 'user'), editors }
}

type TableLocation = Pick<DatasetRow, 'database_id' | 'catalog' | 'schema' | 'table_name'>

/** The dataset with this database, catalog, schema and name, regardless of who may read it. */
export const findDatasetAt = (
  db: Kysely<Tables>,
  { database_id, catalog, schema, table_name }: TableLocation,
): Promise<DatasetRow | undefined> =>
  db
    .selectFrom('dataset')
    .selectAll()
    .where('database_id', '=', database_id)
    .where('table_name', '=', table_name)
    .where(sql`coalesce(catalog, '')`, '=', catalog ?? '')
    .where(sql`coalesce(schema, '')`, '=', schema ?? '')
    .executeTakeFirst()

async function visibleDatabase(context: WriteContext, id: number): Promise<DatabaseRow | undefined> {
  if (!(await can(context, ['can_read', 'Database'], { kind: 'database', id }))) return undefined
  return context.db.selectFrom('database').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Columns of the source; errors of the source are added as complaints. */
async function describeColumns(
  context: DatasetWriteContext,
  database: DatabaseRow,
  source: { schema: string | null; table_name: string; sql: string | null },
  errors: FieldErrorCollector,
): Promise<DescribedColumn[]> {
  try {
    return await describeSourceColumns(context, database, source)
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    errors.add(error.field, error.message)
    return []
  }
}

const firstTemporal = (columns: readonly DescribedColumn[]): string | null =>
  columns.find(({ generic }) => generic === 2)?.name ?? null

/** Another dataset of the same physical table, however it is spelled. */
async function findDatasetOfTable(
  db: Kysely<Tables>,
  database: DatabaseRow,
  location: TableLocation,
): Promise<DatasetRow | undefined> {
  const key = tableKey(database, location)
  const candidates = await db
    .selectFrom('dataset')
    .selectAll()
    .where('database_id', '=', database.id)
    .where(sql`lower(table_name)`, '=', sql`lower(${location.table_name})`)
    .where(sql`coalesce(sql, '')`, '=', '')
    .execute()
  return candidates.find((row) => tableKey(database, row) === key)
}

/**
 * Tests if another dataset already uses a table or name. `unseen` is a table that the caller may not read, which gets the same
 * error as a missing table. Names of SQL datasets are taken for all users.
 */
async function findConflict(
  context: WriteContext,
  database: DatabaseRow,
  location: TableLocation & { sql: string | null },
  ownId?: number,
): Promise<'seen' | 'unseen' | null> {
  const ofName = await findDatasetAt(context.db, location)
  const other = ofName ?? (location.sql === null ? await findDatasetOfTable(context.db, database, location) : undefined)
  if (!other || other.id === ownId) return null
  const isVisible =
    location.sql !== null || (await can(context, ['can_read', 'Dataset'], { kind: 'dataset', id: other.id }))
  return isVisible ? 'seen' : 'unseen'
}

export const datasetExists = (name: string): Message =>
  message('errors.dataset.exists', 'Dataset {name} already exists', { name })
export const noDatabase = message('errors.dataset.noDatabase', 'Database does not exist')

/** Creates a dataset from a table or SQL, with the columns of the source and the metric `count`. @returns its id */
export async function createDataset(context: DatasetWriteContext, body: DatasetPost): Promise<number> {
  const { db, principal, now, event } = context
  const errors = new FieldErrorCollector(unprocessableFields)
  await checkEditors(context, body, errors)
  const database = await visibleDatabase(context, body.database)
  if (!database) errors.add('database', noDatabase)
  const location = {
    database_id: body.database,
    catalog: body.catalog || null,
    schema: body.schema || null,
    table_name: body.table_name,
  }
  const source = { ...location, sql: body.sql?.trim() ? body.sql : null }
  const conflict = database ? await findConflict(context, database, source) : null
  if (conflict === 'seen') errors.add('table_name', datasetExists(body.table_name))
  const columns = database && conflict !== 'seen' ? await describeColumns(context, database, source, errors) : []
  if (conflict === 'unseen' && !errors.has('table_name')) errors.add('table_name', datasetExists(body.table_name))
  errors.throwIfAny()
  const uuid = body.uuid ?? randomUUID()
  const created = createdBy(principal, now)
  const row: Insertable<DatasetTable> = {
    uuid,
    ...source,
    main_dttm_col: firstTemporal(columns),
    description: null,
    default_endpoint: null,
    offset: 0,
    cache_timeout: null,
    params: null,
    template_params: body.template_params ?? null,
    extra: null,
    filter_select_enabled: body.filter_select_enabled ? 1 : 0,
    fetch_values_predicate: null,
    sql_by_fk: principal.id,
    expressions_by_fk: principal.id,
    is_sqllab_view: 0,
    normalize_columns: body.normalize_columns ? 1 : 0,
    always_filter_main_dttm: body.always_filter_main_dttm ? 1 : 0,
    is_managed_externally: body.is_managed_externally ? 1 : 0,
    external_url: body.external_url ?? null,
    ...created,
  }
  const history = { kind: 'dataset', uuid, author: principal.id, event, now }
  return change(db, { ...history, document: readDatasetDocument }, async (trx) => {
    const { id } = await trx.insertInto('dataset').values(row).returning('id').executeTakeFirstOrThrow()
    const rows = columns.map((column) => toColumnRow(id, column, created.created_on))
    await insertAll(trx, 'dataset_column', rows)
    await trx.insertInto('dataset_metric').values(countMetric(id, created.created_on)).execute()
    await writeEditors(trx, context, 'dataset', id, body, true)
    await upsertDatasetPermission(trx, { id, ...location }, database as DatabaseRow)
    event.json = { id }
    return id
  })
}

function checkFields(
  body: DatasetPut,
  stored: { columns: { id: number; name: string }[]; metrics: { id: number; name: string }[] },
  isOverride: boolean,
  errors: FieldErrorCollector,
): void {
  if (body.default_endpoint && !isLocalUrl(body.default_endpoint))
    errors.add(
      'default_endpoint',
      message(
        'errors.dataset.unsafeUrl',
        'The submitted URL is not considered safe, only use URLs with the same domain as this server.',
      ),
    )
  const columns = body.columns?.map(({ id, column_name }) => ({
    ...(id !== undefined && !isOverride && { id }),
    name: column_name,
  }))
  if (columns) checkChildren('columns', columns, isOverride ? [] : stored.columns, errors)
  const metrics = body.metrics?.map(({ id, metric_name }) => ({ ...(id !== undefined && { id }), name: metric_name }))
  if (metrics) checkChildren('metrics', metrics, stored.metrics, errors)
}

/** Renames of a change by old name, matched by the ids of columns and metrics. */
export interface NameMaps {
  columns: ReadonlyMap<string, string>
  metrics: ReadonlyMap<string, string>
}

export interface DatasetUpdateOptions {
  /** `override_columns`: the sent columns replace all, then those of the source are read again. */
  override: boolean
  ifMatch: string | undefined
  /** Updates references to renamed columns and metrics in the same transaction. */
  onRenamed?: (trx: Transaction<Tables>, renamed: NameMaps) => Promise<void>
}

/** Changes the sent fields of a dataset that the caller may see. */
export async function updateDataset(
  context: DatasetWriteContext,
  row: DatasetRow,
  body: DatasetPut,
  { override, ifMatch, onRenamed }: DatasetUpdateOptions,
): Promise<void> {
  const { db, principal, now, event } = context
  await authorizeChange(context, write, { kind: 'dataset', id: row.id })
  const seen = refuseStale(row, ifMatch, body.changed_on)
  const stored = await readDataset(db, row.id)
  if (!stored) return
  const errors = new FieldErrorCollector(unprocessableFields)
  await checkEditors(context, body, errors)
  const location = {
    database_id: body.database_id ?? row.database_id,
    catalog: body.catalog === undefined ? row.catalog : body.catalog || null,
    schema: body.schema === undefined ? row.schema : body.schema || null,
    table_name: body.table_name ?? row.table_name,
  }
  const source = { ...location, sql: body.sql === undefined ? row.sql : body.sql || null }
  const database = await visibleDatabase(context, location.database_id)
  if (!database) errors.add('database', noDatabase)
  const conflict = database ? await findConflict(context, database, source, row.id) : null
  if (conflict === 'seen') errors.add('table_name', datasetExists(location.table_name))
  checkFields(
    body,
    {
      columns: stored.columns.map(({ id, column_name }) => ({ id, name: column_name })),
      metrics: stored.metrics.map(({ id, metric_name }) => ({ id, name: metric_name })),
    },
    override,
    errors,
  )
  checkTimeFormats(body, stored.columns, errors)
  const nameFields = source.sql === null ? (['table_name'] as const) : []
  // Template parameters change what the template renders to.
  const templateParamsChanged = body.template_params !== undefined && body.template_params !== row.template_params
  const sourceChanged =
    ([...nameFields, 'database_id', 'schema', 'catalog', 'sql'] as const).some(
      (field) => source[field] !== row[field],
    ) ||
    (templateParamsChanged && isTemplate(source.sql ?? ''))
  errors.throwIfAny()
  const found = database && (override || sourceChanged) ? await describeColumns(context, database, source, errors) : []
  if (conflict === 'unseen' && !errors.has('table_name')) errors.add('table_name', datasetExists(location.table_name))
  const expressions = buildUpdatedExpressions(stored, body, { override })
  const expressionsChanged =
    templateParamsChanged || hasNewExpressions(expressions, stored) || location.database_id !== row.database_id
  if (database && expressionsChanged) await checkExpressions(context, database, expressions, errors)
  errors.throwIfAny()
  const changed = changedBy(principal, now, row)
  event.json = { id: row.id }
  const history = { kind: 'dataset', uuid: row.uuid, id: row.id, seen, author: principal.id, event, now }
  await change(db, { ...history, document: (trx) => readDatasetDocument(trx, row.id) }, async (trx) => {
    const fields = toColumns(body, plainFields) as Updateable<DatasetTable>
    await trx
      .updateTable('dataset')
      .set({
        ...source,
        ...withoutNulls(fields),
        ...(body.offset != null && { offset: body.offset }),
        ...(sourceChanged && { sql_by_fk: principal.id }),
        ...(expressionsChanged && { expressions_by_fk: principal.id }),
        ...changed,
      })
      .where('id', '=', row.id)
      .execute()
    await writeEditors(trx, context, 'dataset', row.id, body)
    if (body.columns) {
      const requestedColumns = override ? body.columns.map((column) => ({ ...column, id: undefined })) : body.columns
      await replaceColumns(trx, row.id, requestedColumns, stored.columns, changed.changed_on)
    }
    if (body.metrics) await replaceMetrics(trx, row.id, body.metrics, stored.metrics, changed.changed_on)
    if (override) await refreshColumns(trx, row.id, found, changed.changed_on)
    const after = await readDataset(trx, row.id)
    if (body.folders !== undefined && after) {
      const folders = body.folders === null ? [] : parseFolderField(body.folders, after)
      const text = folders.length > 0 ? JSON.stringify(folders) : null
      await trx.updateTable('dataset').set({ folders: text }).where('id', '=', row.id).execute()
    }
    await recordRuleTables(trx, row.id)
    await upsertDatasetPermission(trx, { id: row.id, ...location }, database as DatabaseRow)
    await updateChartDatasetNames(trx, row, location)
    const changes = after ? diffNames(stored, after) : []
    await storeNameChanges(trx, row, changes, history)
    const renamed = { columns: renames('column', changes), metrics: renames('metric', changes) }
    if (renamed.columns.size + renamed.metrics.size > 0) await onRenamed?.(trx, renamed)
  })
}

function parseFolderField(entries: readonly unknown[], stored: Parameters<typeof parseFolders>[1]) {
  try {
    return parseFolders(entries, stored)
  } catch (error) {
    throw error instanceof FolderError ? unprocessableFields({ folders: [error.message] }) : error
  }
}

/** New names by old name, without removed names. */
const renames = (kind: NameChange['kind'], changes: readonly NameChange[]): Map<string, string> =>
  new Map(
    changes.flatMap(({ kind: changeKind, name, now }): [string, string][] =>
      changeKind === kind && now !== null ? [[name, now]] : [],
    ),
  )

/** Flags are never null in the store: null means false. */
function withoutNulls(row: Updateable<DatasetTable>): Updateable<DatasetTable> {
  const flags = ['filter_select_enabled', 'normalize_columns', 'always_filter_main_dttm', 'is_sqllab_view'] as const
  for (const name of flags) if (row[name] === null) row[name] = 0
  return row
}

/** Updates the dataset name stored with charts, which lists are sorted and searched by. */
/** Charts store the name of their dataset. */
export async function updateChartDatasetNames(
  trx: Transaction<Tables>,
  before: TableLocation & { id: number },
  after: TableLocation,
): Promise<void> {
  if (before.schema === after.schema && before.table_name === after.table_name) return
  const datasource_name = after.schema ? `${after.schema}.${after.table_name}` : after.table_name
  await trx
    .updateTable('chart')
    .set({ datasource_name })
    .where('datasource_id', '=', before.id)
    .where('datasource_type', '=', 'table')
    .execute()
}

/** Reads the columns from the source again. */
export async function refreshDataset(context: DatasetWriteContext, row: DatasetRow): Promise<void> {
  const { db, principal, now, event } = context
  await authorizeChange(context, write, { kind: 'dataset', id: row.id })
  const database = await db
    .selectFrom('database')
    .selectAll()
    .where('id', '=', row.database_id)
    .executeTakeFirstOrThrow()
  const errors = new FieldErrorCollector(unprocessableFields)
  const found = await describeColumns(context, database, row, errors)
  errors.throwIfAny()
  const changed = changedBy(principal, now, row)
  event.json = { id: row.id }
  const history = { kind: 'dataset', uuid: row.uuid, id: row.id, author: principal.id, event, now }
  await change(db, { ...history, document: (trx) => readDatasetDocument(trx, row.id) }, async (trx) => {
    const before = await readDataset(trx, row.id)
    const [first = null] = await refreshColumns(trx, row.id, found, changed.changed_on)
    const after = await readDataset(trx, row.id)
    if (before && after) await storeNameChanges(trx, row, diffNames(before, after), history)
    await trx
      .updateTable('dataset')
      .set({ main_dttm_col: row.main_dttm_col ?? first, ...changed })
      .where('id', '=', row.id)
      .execute()
  })
}

export async function removeDataset(trx: Transaction<Tables>, { id }: { id: number }): Promise<void> {
  await removeDataPermission(trx, 'datasource_access', id)
  await trx.deleteFrom('dataset').where('id', '=', id).execute()
}
