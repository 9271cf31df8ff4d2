import { GenericType, type QueryContext } from '@parquetry/model'
import { parseGenericType } from '@parquetry/query'
import type { ChartDeps } from '../chart/deps.ts'
import { resolveQuery } from '../chart/resolve-query.ts'
import { runQuery } from '../chart/run-query.ts'
import { readDatasetDocument } from '../dataset/save-dataset.ts'
import type { DatasetRow, StoredDataset } from '../dataset/stored-dataset.ts'
import { authorizeChange, changedBy, type WriteContext } from '../http/writing.ts'
import { change } from '../store/write.ts'
import { findTimeFormat } from './time-format-of-values.ts'

/** Number of values of a column that are read. */
const sampleSize = 100

type DetectContext = WriteContext & { deps: ChartDeps; signal: AbortSignal }

async function sampleValues({ deps, principal, signal }: DetectContext, id: number, column: string) {
  const query = { columns: [column], metrics: [], row_limit: sampleSize }
  const request: QueryContext = { datasource: { id, type: 'table' }, queries: [query] }
  const resolved = await resolveQuery(request, deps, principal)
  const { run } = await runQuery(resolved, query, { as: 'rows', times: 'ms' }, 'results', signal)
  return (JSON.parse(run.body.toString()) as Record<string, unknown>[]).map((row) => row[column])
}

async function saveFormats(
  context: DetectContext,
  row: DatasetRow,
  formats: ReadonlyMap<number, string>,
): Promise<void> {
  const { db, principal, now, event } = context
  const history = { kind: 'dataset', uuid: row.uuid, author: principal.id, event, now }
  await change(db, { ...history, document: (trx) => readDatasetDocument(trx, row.id) }, async (trx) => {
    for (const [id, python_date_format] of formats)
      await trx.updateTable('dataset_column').set({ python_date_format }).where('id', '=', id).execute()
    await trx
      .updateTable('dataset')
      .set(changedBy(principal, now, row))
      .where('id', '=', row.id)
      .execute()
  })
}

/**
 * Finds the formats of columns that are marked as times, are stored as text or numbers, and have no format yet. Found formats are
 * saved.
 * @returns the formats by column, null where there is none
 */
export async function detectTimeFormats(
  context: DetectContext,
  { row, columns }: StoredDataset,
): Promise<Record<string, string | null>> {
  await authorizeChange(context, ['can_write', 'Dataset'], { kind: 'dataset', id: row.id })
  context.event.json = { id: row.id }
  const times = columns.filter(
    ({ is_dttm, python_date_format, type, type_generic }) =>
      is_dttm === 1 && !python_date_format && (type_generic ?? parseGenericType(type)) !== GenericType.TEMPORAL,
  )
  const found: Record<string, string | null> = {}
  const saved = new Map<number, string>()
  for (const { id, column_name } of times) {
    const format = findTimeFormat(await sampleValues(context, row.id, column_name))
    found[column_name] = format
    if (format !== null) saved.set(id, format)
  }
  if (saved.size > 0) await saveFormats(context, row, saved)
  return found
}
