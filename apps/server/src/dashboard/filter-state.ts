import { AppError, message } from '@parquetry/model'
import type { ReadContext } from '../http/resource.ts'
import { checkJson } from '../http/writing.ts'
import { type KeyValueStore, readValue, removeValue, writeTabValue } from '../store/key-values.ts'

const retentionDays = 90

const createFilterStateStore = ({ db, now, linkQuotaMb }: ReadContext): KeyValueStore => ({
  db,
  now,
  quotaMb: linkQuotaMb,
  resource: 'filter_state',
  days: retentionDays,
})

interface State {
  dashboard: number
  value: string
}

async function findState(
  context: ReadContext,
  dashboard: number,
  key: string,
): Promise<{ state: State; user_id: number | null } | undefined> {
  const stored = await readValue(createFilterStateStore(context), key)
  if (!stored) return undefined
  const state = JSON.parse(stored.value) as State
  return state.dashboard === dashboard ? { state, user_id: stored.user_id } : undefined
}

const notOwnerError = () =>
  new AppError('forbidden', {
    message: message('errors.value.notYours', "You don't have permission to modify the value."),
  })

/** Stores a state of the filter bar (JSON text) for a tab. @returns its key */
export async function createFilterState(
  context: ReadContext,
  dashboard: number,
  body: { value: string },
  tab?: string,
): Promise<string> {
  checkJson(body, 'value')
  const kept = {
    value: JSON.stringify({ dashboard, value: body.value } satisfies State),
    user_id: context.principal.id,
  }
  return writeTabValue(createFilterStateStore(context), { tab, object: [dashboard], kept })
}

/** Changes a stored state. For an unknown or expired key, returns the key and stores nothing. */
export async function updateFilterState(
  context: ReadContext,
  dashboard: number,
  key: string,
  body: { value: string },
  tab?: string,
): Promise<string> {
  checkJson(body, 'value')
  const found = await findState(context, dashboard, key)
  if (!found) return key
  if (found.user_id !== context.principal.id) throw notOwnerError()
  return createFilterState(context, dashboard, body, tab)
}

/** @throws AppError `not_found` */
export async function readFilterState(context: ReadContext, dashboard: number, key: string): Promise<string> {
  const found = await findState(context, dashboard, key)
  if (!found) throw new AppError('not_found')
  return found.state.value
}

/** @throws AppError `not_found`; `forbidden` for the entry of another user */
export async function removeFilterState(context: ReadContext, dashboard: number, key: string): Promise<void> {
  const found = await findState(context, dashboard, key)
  if (!found) throw new AppError('not_found')
  if (found.user_id !== context.principal.id) throw notOwnerError()
  await removeValue(createFilterStateStore(context), key)
}
