import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError, message, type UploadedTable } from '@parquetry/model'
import { sql, type SqlBool } from 'kysely'
import { ownedBy } from '../access/access.ts'
import { or } from '../store/conditions.ts'
import { isReadOnlyConnection } from '../connection/extra.ts'
import { dataFolderOf, type DatabaseRow, resolveSource } from '../connection/source.ts'
import { datasetRemoval } from '../dataset/dataset-removal.ts'
import { type DatasetWriteContext, updateDataset } from '../dataset/save-dataset.ts'
import { removeAll } from '../http/removing.ts'
import type { ReadContext } from '../http/resource.ts'
import { extendRulesToName } from '../row-level-security/rule-tables.ts'
import { canChangeTable, type ExistingTable, findExisting, runExclusive, tableExists } from './load-table.ts'
import { authorizeUpload, canUploadAny } from './rights.ts'
import { findTarget, listTargets, mainSchema, withReadAccess } from './targets.ts'

/**
 * The tables that the caller loaded from files or created from queries, and for users who may upload files, also those whose
 * dataset they own.
 */
export async function listOwnTables(context: ReadContext): Promise<UploadedTable[]> {
  const { db, principal } = context
  const canUpload = canUploadAny(principal)
  const { databases } = canUpload ? await listTargets(context) : { databases: [] }
  const others = await db
    .selectFrom('database')
    .select(['id', 'database_name'])
    .where('id', 'in', db.selectFrom('embedded_table').select('database_id').where('created_by_fk', '=', principal.id))
    .orderBy('database_name')
    .execute()
  const tables: UploadedTable[] = []
  for (const { id, database_name } of new Map(
    [...databases, ...others].map((each) => [each.id, each] as const),
  ).values()) {
    const rows = await db
      .selectFrom('embedded_table')
      .select(['name', 'size', 'created_by_fk'])
      .where('database_id', '=', id)
      .orderBy('name')
      .execute()
    const datasets = await db
      .selectFrom('dataset')
      .select((is) => [
        'dataset.id',
        'dataset.table_name',
        sql<number>`case when ${or(ownedBy('dataset', principal))} then 1 else 0 end`.as('is_owned'),
        is
          .selectFrom('chart')
          .select((of) => of.fn.countAll<number>().as('charts'))
          .whereRef('chart.datasource_id', '=', 'dataset.id')
          .where('chart.datasource_type', '=', 'table')
          .as('charts'),
      ])
      .where('dataset.database_id', '=', id)
      .where((is) => is.or([is('dataset.sql', 'is', null), is('dataset.sql', '=', '')]))
      .execute()
    const datasetOf = new Map(datasets.map((dataset) => [dataset.table_name.toLowerCase(), dataset]))
    for (const { name, size, created_by_fk } of rows) {
      const dataset = datasetOf.get(name.toLowerCase())
      if (created_by_fk !== principal.id && (!canUpload || dataset?.is_owned !== 1)) continue
      tables.push({
        database_id: id,
        database_name,
        table_name: name,
        size: size === null ? null : Number(size),
        dataset_id: dataset?.id ?? null,
        charts: Number(dataset?.charts ?? 0),
      })
    }
  }
  return tables
}

/**
 * The database of a table to rename or remove: one in which the caller created the table, or one that accepts files of the caller.
 * @throws AppError as `authorizeUpload` and `findTarget`
 */
export async function findTableDatabase(context: ReadContext, id: number, table_name: string): Promise<DatabaseRow> {
  const { db, principal } = context
  const own = await db
    .selectFrom('database')
    .innerJoin('embedded_table', 'embedded_table.database_id', 'database.id')
    .selectAll('database')
    .where('database.id', '=', id)
    .where(sql<SqlBool>`lower(embedded_table.name) = ${table_name.toLowerCase()}`)
    .where('embedded_table.created_by_fk', '=', principal.id)
    .executeTakeFirst()
  if (own && !isReadOnlyConnection(own)) return own
  authorizeUpload(principal)
  const database = await findTarget(context, id)
  if (!database) throw new AppError('not_found')
  return database
}

/** @throws AppError `not_found`; `forbidden` for a table of another user */
async function findOwn(
  context: ReadContext,
  database: DatabaseRow,
  table_name: string,
): Promise<ExistingTable & { table: NonNullable<ExistingTable['table']> }> {
  const existing = await findExisting(context, database, table_name)
  const { table, dataset } = existing
  if (!table) throw new AppError('not_found')
  const { created_by_fk } = await context.db
    .selectFrom('embedded_table')
    .select('created_by_fk')
    .where('database_id', '=', database.id)
    .where('name', '=', table.name)
    .executeTakeFirstOrThrow()
  const { name } = table
  const isCreator = created_by_fk !== null && created_by_fk === context.principal.id
  if ((!isCreator || dataset) && !(await canChangeTable(context, database, existing)))
    throw new AppError('forbidden', {
      message: isCreator
        ? message('errors.upload.datasetOfOther', 'The dataset of the table {name} belongs to another user.', { name })
        : message('errors.upload.notOwner', 'The table {name} belongs to another user.', { name }),
    })
  return { ...existing, table }
}

/**
 * Renames a table and its dataset. Saved SQL that names the table is not changed.
 * @throws AppError as `findOwn`; `unprocessable` for a name that is taken
 */
export function renameTable(
  context: DatasetWriteContext,
  database: DatabaseRow,
  table_name: string,
  newName: string,
): Promise<void> {
  const { db, deps } = context
  return runExclusive(`${database.id} ${table_name.toLowerCase()}`, async () => {
    const { table, dataset } = await findOwn(context, database, table_name)
    if (newName === table.name) return
    const taken = await findExisting(context, database, newName)
    const isOtherCase = newName.toLowerCase() === table.name.toLowerCase()
    if (taken.table && !isOtherCase) throw tableExists(taken.table.name)
    const setName = async (from: string, to: string) => {
      await db
        .updateTable('embedded_table')
        .set({ name: to })
        .where('database_id', '=', database.id)
        .where('name', '=', from)
        .execute()
      await deps.runners.tablesChanged(await resolveSource(deps, database, 'system'))
    }
    await extendRulesToName(db, database, { catalog: null, schema: mainSchema, table_name: table.name }, newName)
    await setName(table.name, newName)
    if (!dataset) return
    try {
      const reader = { ...context, principal: withReadAccess(context.principal, database) }
      await updateDataset(reader, dataset, { table_name: newName }, { override: false, ifMatch: undefined })
    } catch (error) {
      await setName(newName, table.name)
      throw error
    }
  })
}

/** Deletes a table and its file, and moves its dataset to the trash. @throws AppError as `findOwn` */
export function removeTable(context: DatasetWriteContext, database: DatabaseRow, table_name: string): Promise<void> {
  const { db, deps } = context
  return runExclusive(`${database.id} ${table_name.toLowerCase()}`, async () => {
    const { table, dataset } = await findOwn(context, database, table_name)
    if (dataset) await removeAll(datasetRemoval, [dataset.id], context)
    await db
      .deleteFrom('embedded_table')
      .where('database_id', '=', database.id)
      .where('name', '=', table.name)
      .execute()
    await deps.runners.tablesChanged(await resolveSource(deps, database, 'system'))
    if (table.format === 'duckdb')
      await rm(join(dataFolderOf(deps.settings.home, database.uuid), table.file), { force: true })
  })
}
