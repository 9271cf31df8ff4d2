import { message } from '@parquetry/model'
import type { Transaction } from 'kysely'
import { randomUUID } from 'node:crypto'
import { upsertDatasetPermission } from '../access/data-permissions.ts'
import { createdBy, unprocessable, replaceLinks } from '../http/writing.ts'
import type { Tables } from '../store/tables.ts'
import { change } from '../store/write.ts'
import { insertAll } from './change-children.ts'
import { type DatasetRow, readDataset } from './stored-dataset.ts'
import { editorLinks } from '../access/subject-links.ts'
import { findDatasetAt, readDatasetDocument, type DatasetWriteContext } from './save-dataset.ts'

export const invalidDuplicate = message('errors.dataset.parameters', 'Dataset parameters are invalid.')

/** Copies a virtual dataset with its columns and metrics. @returns id of the copy */
export async function duplicateDataset(
  context: DatasetWriteContext,
  row: DatasetRow,
  table_name: string,
): Promise<number> {
  const { db, principal, now, event } = context
  if (!row.sql || (await findDatasetAt(db, { ...row, table_name }))) throw unprocessable(invalidDuplicate)
  const stored = await readDataset(db, row.id)
  if (!stored) throw unprocessable(invalidDuplicate)
  const uuid = randomUUID()
  const created = createdBy(principal, now)
  const history = { kind: 'dataset', uuid, author: principal.id, event, now }
  return change(db, { ...history, document: readDatasetDocument }, async (trx) => {
    const { id: _, ...fields } = row
    const copy = { ...fields, ...created, uuid, table_name, is_managed_externally: 0, external_url: null }
    const { id } = await trx.insertInto('dataset').values(copy).returning('id').executeTakeFirstOrThrow()
    const childFields = { dataset_id: id, created_on: created.created_on, changed_on: created.created_on }
    const columns = stored.columns.map(({ id: _id, ...column }) => ({ ...column, ...childFields, uuid: randomUUID() }))
    const metrics = stored.metrics.map(({ id: _id, ...metric }) => ({ ...metric, ...childFields, uuid: randomUUID() }))
    await insertAll(trx, 'dataset_column', columns)
    await insertAll(trx, 'dataset_metric', metrics)
    await replaceLinks(trx, editorLinks.dataset.user, id, principal.id === null ? [] : [principal.id])
    await copyRlsRules(trx, row.id, id)
    await upsertDatasetPermission(trx, { id, schema: row.schema, table_name }, stored.database)
    event.json = { id, from: row.id }
    return id
  })
}

/** Copies the row-level security rules, so that the copy does not reveal hidden rows. */
async function copyRlsRules(trx: Transaction<Tables>, from: number, to: number): Promise<void> {
  await trx
    .insertInto('row_rule_dataset')
    .columns(['row_rule_id', 'dataset_id'])
    .expression((query) =>
      query
        .selectFrom('row_rule_dataset')
        .select((is) => ['row_rule_id', is.val(to).as('dataset_id')])
        .where('dataset_id', '=', from),
    )
    .execute()
}
