import { AppError, message, type FieldMessages, type FormDataBody } from '@parquetry/model'
import type { ReadContext } from '../http/resource.ts'
import { isJson } from '../http/writing.ts'
import { can } from '../access/access.ts'
import { type KeyValueStore, readValue, removeValue, writeTabValue } from '../store/key-values.ts'

const ttlDays = 7

const createFormDataStore = ({ db, now, linkQuotaMb }: ReadContext): KeyValueStore => ({
  db,
  now,
  quotaMb: linkQuotaMb,
  resource: 'form_data',
  days: ttlDays,
})

const notFound = () =>
  new AppError('not_found', { message: message('errors.value.notFound', 'Resource was not found.') })
const notOwnerError = () =>
  new AppError('forbidden', {
    message: message('errors.value.notYours', "You don't have permission to modify the value."),
  })

/** Checks that the dataset and chart of an entry are readable; missing and unreadable ones fail alike. */
async function requireVisible(
  context: ReadContext,
  { datasource_id, datasource_type, chart_id }: FormDataBody,
): Promise<void> {
  const isDataset = datasource_type === 'table' || datasource_type === 'dataset'
  const isVisible = isDataset
    ? await can(context, ['can_read', 'Dataset'], { kind: 'dataset', id: datasource_id })
    : datasource_type === 'query' && (await can(context, ['can_read', 'Query'], { kind: 'query', id: datasource_id }))
  if (!isVisible) throw notFound()
  if (chart_id !== undefined && !(await can(context, ['can_read', 'Chart'], { kind: 'chart', id: chart_id })))
    throw notFound()
}

function requireJson({ form_data }: FormDataBody): void {
  if (!isJson(form_data))
    throw new AppError('invalid_payload', {
      fields: [message('errors.fields.notJson', 'JSON not valid')] as unknown as FieldMessages,
    })
}

/** Stores form data for a tab: the same user, tab, dataset and chart have the same key. */
export async function createFormData(context: ReadContext, body: FormDataBody, tab?: string): Promise<string> {
  requireJson(body)
  await requireVisible(context, body)
  const object = [body.datasource_id, body.datasource_type, body.chart_id ?? null]
  return writeTabValue(createFormDataStore(context), {
    tab,
    object,
    kept: { value: JSON.stringify(body), user_id: context.principal.id },
  })
}

async function readEntry(
  context: ReadContext,
  key: string,
): Promise<{ body: FormDataBody; user_id: number | null } | undefined> {
  const stored = await readValue(createFormDataStore(context), key)
  return stored && { body: JSON.parse(stored.value) as FormDataBody, user_id: stored.user_id }
}

/** Changes an entry. For an unknown or expired key, returns the key and stores nothing. */
export async function updateFormData(
  context: ReadContext,
  key: string,
  body: FormDataBody,
  tab?: string,
): Promise<string> {
  requireJson(body)
  await requireVisible(context, body)
  const found = await readEntry(context, key)
  if (!found) return key
  if (found.user_id !== context.principal.id) throw notOwnerError()
  return createFormData(context, body, tab)
}

/** Form data of an entry whose dataset and chart the caller may read; undefined for an unknown key. */
export async function readFormData(context: ReadContext, key: string): Promise<string | undefined> {
  const found = await readEntry(context, key)
  if (!found) return undefined
  await requireVisible(context, found.body)
  return found.body.form_data
}

/** @throws AppError `not_found`; `forbidden` for the entry of another user */
export async function removeFormData(context: ReadContext, key: string): Promise<void> {
  const found = await readEntry(context, key)
  if (!found) throw new AppError('not_found')
  if (found.user_id !== context.principal.id) throw notOwnerError()
  await removeValue(createFormDataStore(context), key)
}
