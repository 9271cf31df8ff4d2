import { message, type DatasetColumnPut, type DatasetMetricPut, type DescribedColumn } from '@parquetry/model'
import { parseGenericType } from '@parquetry/query'
import type { Insertable, Transaction, Updateable } from 'kysely'
import { randomUUID } from 'node:crypto'
import { EventLoopYielder } from '../concurrency/event-loop-yielder.ts'
import { toColumns, type FieldErrorCollector } from '../http/writing.ts'
import type { DatasetColumnTable, DatasetMetricTable, Tables } from '../store/tables.ts'
import type { ColumnRow, MetricRow } from './stored-dataset.ts'

const columnFields = [
  'column_name',
  'type',
  'advanced_data_type',
  'verbose_name',
  'description',
  'expression',
  'extra',
  'filterable',
  'groupby',
  'is_active',
  'is_dttm',
  'python_date_format',
] as const
const metricFields = [
  'metric_name',
  'expression',
  'description',
  'extra',
  'metric_type',
  'd3format',
  'verbose_name',
  'warning_text',
] as const

const newColumn = (datasetId: number, timestamp: string): Omit<Insertable<DatasetColumnTable>, 'column_name'> => ({
  uuid: randomUUID(),
  dataset_id: datasetId,
  verbose_name: null,
  description: null,
  expression: null,
  type: null,
  advanced_data_type: null,
  type_generic: null,
  is_dttm: 0,
  is_active: 1,
  groupby: 1,
  filterable: 1,
  python_date_format: null,
  extra: null,
  created_on: timestamp,
  changed_on: timestamp,
})

/** Row for a column of the source. */
export const toColumnRow = (
  datasetId: number,
  { name, type, generic, comment }: DescribedColumn,
  timestamp: string,
) => ({
  ...newColumn(datasetId, timestamp),
  column_name: name,
  type,
  type_generic: generic,
  description: comment,
  is_dttm: generic === 2 ? 1 : 0,
})

const newMetric = (datasetId: number, timestamp: string) => ({
  uuid: randomUUID(),
  dataset_id: datasetId,
  verbose_name: null,
  description: null,
  metric_type: null,
  d3format: null,
  currency: null,
  warning_text: null,
  extra: null,
  created_on: timestamp,
  changed_on: timestamp,
})

/** The metric that every new dataset has (DSET-004). */
export const countMetric = (datasetId: number, timestamp: string): Insertable<DatasetMetricTable> => ({
  ...newMetric(datasetId, timestamp),
  metric_name: 'count',
  verbose_name: 'COUNT(*)',
  metric_type: 'count',
  expression: 'COUNT(*)',
})

const childMessages = {
  columns: {
    duplicated: message('errors.dataset.columnsDuplicated', 'One or more columns are duplicated'),
    missing: message('errors.dataset.columnsMissing', 'One or more columns do not exist'),
    taken: message('errors.dataset.columnsTaken', 'One or more columns already exist'),
  },
  metrics: {
    duplicated: message('errors.dataset.metricsDuplicated', 'One or more metrics are duplicated'),
    missing: message('errors.dataset.metricsMissing', 'One or more metrics do not exist'),
    taken: message('errors.dataset.metricsTaken', 'One or more metrics already exist'),
  },
}

/** Adds complaints about duplicate names, ids of other datasets, and new entries whose name is taken. */
export function checkChildren(
  kind: 'columns' | 'metrics',
  requested: readonly { id?: number; name: string }[],
  stored: readonly { id: number; name: string }[],
  errors: FieldErrorCollector,
): void {
  const messages = childMessages[kind]
  const names = requested.map(({ name }) => name)
  if (new Set(names).size !== names.length) return errors.add(kind, messages.duplicated)
  const ids = new Set(stored.map(({ id }) => id))
  const takenNames = new Set(stored.map(({ name }) => name))
  if (requested.some(({ id }) => id !== undefined && !ids.has(id))) return errors.add(kind, messages.missing)
  const isNameTaken = requested.some(({ id, name }) => id === undefined && takenNames.has(name))
  if (isNameTaken) errors.add(kind, messages.taken)
}

/** Rows per statement: each statement blocks the rest of the store. */
const rowsPerStatement = 100

/** Replaces the columns of a dataset: entries with an id are changed, those without are added, the others deleted. */
export async function replaceColumns(
  trx: Transaction<Tables>,
  datasetId: number,
  requested: readonly DatasetColumnPut[],
  stored: readonly ColumnRow[],
  timestamp: string,
): Promise<void> {
  const yielder = new EventLoopYielder()
  const keptIds = new Set(requested.flatMap(({ id }) => (id === undefined ? [] : [id])))
  const removedIds = stored.filter(({ id }) => !keptIds.has(id)).map(({ id }) => id)
  if (removedIds.length > 0) await trx.deleteFrom('dataset_column').where('id', 'in', removedIds).execute()
  await assignTemporaryNames(trx, 'dataset_column', stored, requested, yielder)
  const storedById = new Map(stored.map((column) => [column.id, column]))
  const added: Insertable<DatasetColumnTable>[] = []
  for (const column of requested) {
    await yielder.yieldIfDue()
    const format = column.python_date_format ?? column.datetime_format
    const fields = {
      ...toColumns(column, columnFields),
      ...(format !== undefined && { python_date_format: format }),
      ...(column.type !== undefined && { type_generic: parseGenericType(column.type) }),
      changed_on: timestamp,
    } as Updateable<DatasetColumnTable> & { column_name: string }
    const before = column.id === undefined ? undefined : storedById.get(column.id)
    if (before && before.type === column.type) delete fields.type_generic
    if (column.is_dttm === null) fields.is_dttm = 0
    if (column.is_active === null) fields.is_active = 1
    if (before) await trx.updateTable('dataset_column').set(fields).where('id', '=', before.id).execute()
    else
      added.push({ ...newColumn(datasetId, timestamp), ...(await ownUuid(trx, 'dataset_column', column)), ...fields })
  }
  await insertAll(trx, 'dataset_column', added, yielder)
}

/** Inserts columns or metrics in batches, so that very wide tables work. */
export async function insertAll<T extends 'dataset_column' | 'dataset_metric'>(
  trx: Transaction<Tables>,
  table: T,
  rows: readonly Insertable<Tables[T]>[],
  yielder = new EventLoopYielder(),
): Promise<void> {
  for (let index = 0; index < rows.length; index += rowsPerStatement) {
    await yielder.yieldIfDue()
    await trx
      .insertInto(table)
      .values(rows.slice(index, index + rowsPerStatement) as never)
      .execute()
  }
}

const uuidForm = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** Uuid sent with a new column or metric, so that folders can name it in the same request; ignored if invalid or already used. */
async function ownUuid(
  trx: Transaction<Tables>,
  table: 'dataset_column' | 'dataset_metric',
  { uuid }: { uuid?: string | null },
): Promise<{ uuid?: string }> {
  if (!uuid || !uuidForm.test(uuid)) return {}
  const existing = await trx.selectFrom(table).select('id').where('uuid', '=', uuid).executeTakeFirst()
  return existing ? {} : { uuid }
}

/** Gives rows that will be renamed a temporary name first, so that two of them can swap names. */
async function assignTemporaryNames(
  trx: Transaction<Tables>,
  table: 'dataset_column' | 'dataset_metric',
  stored: readonly (ColumnRow | MetricRow)[],
  requested: readonly ({ id?: number; column_name?: string } | { id?: number; metric_name?: string })[],
  yielder: EventLoopYielder,
): Promise<void> {
  const storedById = new Map<number | undefined, ColumnRow | MetricRow>(stored.map((row) => [row.id, row]))
  const nameOf = (row: object) =>
    'column_name' in row ? row.column_name : (row as { metric_name?: string }).metric_name
  for (const entry of requested) {
    const before = storedById.get(entry.id)
    if (!before || nameOf(before) === nameOf(entry)) continue
    await yielder.yieldIfDue()
    if (table === 'dataset_column')
      await trx.updateTable(table).set({ column_name: randomUUID() }).where('id', '=', before.id).execute()
    else await trx.updateTable(table).set({ metric_name: randomUUID() }).where('id', '=', before.id).execute()
  }
}

/** Replaces the metrics of a dataset by the same rules as columns. */
export async function replaceMetrics(
  trx: Transaction<Tables>,
  datasetId: number,
  requested: readonly DatasetMetricPut[],
  stored: readonly MetricRow[],
  timestamp: string,
): Promise<void> {
  const yielder = new EventLoopYielder()
  const keptIds = new Set(requested.flatMap(({ id }) => (id === undefined ? [] : [id])))
  const removedIds = stored.filter(({ id }) => !keptIds.has(id)).map(({ id }) => id)
  if (removedIds.length > 0) await trx.deleteFrom('dataset_metric').where('id', 'in', removedIds).execute()
  await assignTemporaryNames(trx, 'dataset_metric', stored, requested, yielder)
  const added: Insertable<DatasetMetricTable>[] = []
  for (const metric of requested) {
    await yielder.yieldIfDue()
    const { currency } = metric
    const fields = {
      ...toColumns(metric, metricFields),
      ...(currency !== undefined && { currency: currency === null ? null : JSON.stringify(currency) }),
      changed_on: timestamp,
    } as Updateable<DatasetMetricTable> & { metric_name: string; expression: string }
    if (metric.id === undefined)
      added.push({ ...newMetric(datasetId, timestamp), ...(await ownUuid(trx, 'dataset_metric', metric)), ...fields })
    else await trx.updateTable('dataset_metric').set(fields).where('id', '=', metric.id).execute()
  }
  await insertAll(trx, 'dataset_metric', added, yielder)
}

/**
 * Updates the columns from the source: adds new ones, updates types, deletes missing ones and keeps calculated ones.
 * @returns names of the temporal columns, in the order of the source
 */
export async function refreshColumns(
  trx: Transaction<Tables>,
  datasetId: number,
  found: readonly DescribedColumn[],
  timestamp: string,
): Promise<string[]> {
  const stored = await trx.selectFrom('dataset_column').selectAll().where('dataset_id', '=', datasetId).execute()
  const names = new Set(found.map(({ name }) => name))
  const removedIds = stored
    .filter(({ column_name, expression }) => !expression && !names.has(column_name))
    .map(({ id }) => id)
  if (removedIds.length > 0) await trx.deleteFrom('dataset_column').where('id', 'in', removedIds).execute()
  const temporal: string[] = []
  const yielder = new EventLoopYielder()
  const storedByName = new Map(stored.map((column) => [column.column_name, column]))
  const added: Insertable<DatasetColumnTable>[] = []
  for (const column of found) {
    await yielder.yieldIfDue()
    const before = storedByName.get(column.name)
    if (before ? before.is_dttm === 1 : column.generic === 2) temporal.push(column.name)
    if (!before) added.push(toColumnRow(datasetId, column, timestamp))
    else if (before.type !== column.type || before.expression)
      await trx
        .updateTable('dataset_column')
        .set({ type: column.type, type_generic: column.generic, expression: null, changed_on: timestamp })
        .where('id', '=', before.id)
        .execute()
  }
  await insertAll(trx, 'dataset_column', added, yielder)
  return temporal
}
