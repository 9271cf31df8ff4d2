import { AppError, DatasetColumnPut, DatasetMetricPut, DatasetPut, message, SavedDatasource } from '@parquetry/model'
import type { Static } from 'typebox'
import type { StoredDataset } from '../dataset/stored-dataset.ts'
import { type DatasetWriteContext, updateDataset } from '../dataset/save-dataset.ts'
import { lazyCheck } from '../http/check.ts'
import { fieldErrors } from '../http/check-fields.ts'
import { jsonField } from '../http/form-json.ts'
import { localizeError } from '../settings/messages.ts'

const readData = jsonField('data', SavedDatasource)
const isValid = lazyCheck(DatasetPut)

type Loose = Record<string, unknown>

/** Keeps the fields of an untyped object that the body schema contains; read-only fields of the dataset object are dropped. */
const pickKnownFields = (schema: { properties: object }, loose: Loose): Loose =>
  Object.fromEntries(
    Object.entries(loose).filter(([field, value]) => Object.hasOwn(schema.properties, field) && value !== undefined),
  )

/** Returns `extra` as sent, or built from the flat fields of the dataset object, which clients send back. */
function buildExtra(loose: Loose): Loose {
  const { extra, is_certified, certified_by, certification_details, warning_markdown } = loose
  if (extra !== undefined) return { extra: typeof extra === 'object' && extra !== null ? JSON.stringify(extra) : extra }
  if (is_certified === undefined && certified_by === undefined && warning_markdown === undefined) return {}
  const certification = certified_by ? { certified_by, details: certification_details ?? null } : undefined
  const built = { ...(certification && { certification }), ...(warning_markdown ? { warning_markdown } : {}) }
  return { extra: Object.keys(built).length > 0 ? JSON.stringify(built) : null }
}

const toChildBody = (schema: { properties: object }, loose: Loose): Loose => {
  const { id, ...fields } = pickKnownFields(schema, { ...loose, ...buildExtra(loose) })
  // New entries have a client-generated string as id.
  return { ...fields, ...(Number.isSafeInteger(id) && { id }) }
}

async function toDatasetBody(data: Static<typeof SavedDatasource>): Promise<DatasetPut> {
  const { database, owners, columns, metrics, ...fields } = data as Loose & Static<typeof SavedDatasource>
  const { carry_renames: _, changed_on: __, uuid: ___, ...plain } = pickKnownFields(DatasetPut, fields)
  const database_id = (database as { id?: unknown } | undefined)?.id
  const body = {
    ...plain,
    ...(Number.isSafeInteger(database_id) && { database_id }),
    ...(owners && { owners: owners.map((owner) => (typeof owner === 'number' ? owner : owner.id)) }),
    ...(columns && { columns: columns.map((column) => toChildBody(DatasetColumnPut, column)) }),
    ...(metrics && { metrics: metrics.map((metric) => toChildBody(DatasetMetricPut, metric)) }),
  }
  if (await isValid(body)) return body as DatasetPut
  const [field, problem] = Object.entries(fieldErrors(DatasetPut, body))[0] ?? ['', '']
  throw new AppError('bad_request', { message: `${field}: ${JSON.stringify(problem)}` })
}

const hasDuplicates = (names: readonly unknown[]): boolean => new Set(names).size !== names.length

/**
 * `/datasource/save/`: converts a whole dataset, as sent by older clients, to an ordinary update.
 * @param find  returns the dataset of a type and id if the caller may see it
 * @returns its id
 * @throws AppError 409 for duplicate column names, 400 for an external URL, as these clients expect
 */
export async function saveDatasource(
  context: DatasetWriteContext,
  form: Record<string, string>,
  find: (type: string, id: number) => Promise<StoredDataset>,
): Promise<number> {
  const data = await readData(form)
  const { row } = await find(data.type ?? 'table', data.id)
  const names = (data.columns ?? []).map(({ column_name }) => column_name)
  if (hasDuplicates(names)) {
    const duplicates = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
    throw new AppError('conflict', {
      message: message('errors.datasource.duplicateColumns', 'Duplicate column name(s): {names}', {
        names: duplicates.map(String).join(', '),
      }),
    })
  }
  await updateDataset(context, row, await toDatasetBody(data), { override: false, ifMatch: undefined }).catch(
    (error: unknown) => {
      throw error instanceof AppError ? toLegacyError(localizeError(error, context.deps.settings)) : error
    },
  )
  return row.id
}

/** Joins field errors into one message, because this route has no other place for them. */
function toLegacyError(error: AppError): AppError {
  if (!error.fields) return error
  const { default_endpoint } = error.fields
  const text = [default_endpoint ?? Object.values(error.fields)[0]].flat().map(String).join(' ')
  return new AppError(default_endpoint ? 'bad_request' : 'unprocessable', { message: text, cause: error })
}
