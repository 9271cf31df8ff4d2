import { AppError, DashboardPermalink } from '@parquetry/model'
import { fieldErrors } from '../http/check-fields.ts'
import { lazyCheck } from '../http/check.ts'
import type { ReadContext } from '../http/resource.ts'
import { type KeyValueStore, readValue, shortKey, writeValue } from '../store/key-values.ts'
import { type DashboardRow } from './dashboard-resource.ts'
import { findDashboard } from './find-dashboard.ts'

const createPermalinkStore = ({ db, now, linkQuotaMb }: ReadContext): KeyValueStore => ({
  db,
  now,
  quotaMb: linkQuotaMb,
  resource: 'dashboard_permalink',
  days: null,
})
const isPermalinkState = lazyCheck(DashboardPermalink)

interface StoredPermalink {
  dashboard: string
  state: object
}

/**
 * Stores a state of a dashboard permanently. The same state of the same user has the same key.
 * @throws AppError `bad_request` for an invalid state; the API puts the errors into one line of text
 */
export async function createDashboardPermalink(
  context: ReadContext,
  { uuid }: Pick<DashboardRow, 'uuid'>,
  state: object,
): Promise<string> {
  if (!(await isPermalinkState(state))) {
    const errors = Object.entries(fieldErrors(DashboardPermalink, state)).map(
      ([field, found]) =>
        `'${field}': [${Array.isArray(found) ? found.map((text) => `'${text}'`).join(', ') : "'Invalid value.'"}]`,
    )
    throw new AppError('bad_request', { message: `{${errors.join(', ')}}` })
  }
  const user_id = context.principal.id
  const key = shortKey('dashboard', user_id, uuid, JSON.stringify(state))
  await writeValue(createPermalinkStore(context), key, {
    value: JSON.stringify({ dashboard: uuid, state } satisfies StoredPermalink),
    user_id,
  })
  return key
}

/** @throws AppError `not_found` for an unknown key, and for a dashboard that the caller may not see */
export async function readDashboardPermalink(
  context: ReadContext,
  key: string,
): Promise<{ dashboardId: string; state: object }> {
  const stored = await readValue(createPermalinkStore(context), key)
  if (!stored) throw new AppError('not_found')
  const { dashboard, state } = JSON.parse(stored.value) as StoredPermalink
  await findDashboard(context, dashboard)
  return { dashboardId: dashboard, state }
}
