import { userId } from '../../shared/rights.ts'
import { newDashboardId, titleOf } from '../document/read-dashboard.ts'
import { untitled } from '../document/save-body.ts'
import { clearDashboardDraft } from '../edit/drafts.ts'
import type { DashboardStore } from '../state/store.ts'
import { createDashboard, fetchChangedOn } from './calls.ts'

const pending = new WeakMap<DashboardStore, Promise<number>>()

/**
 * Creates a new dashboard on the server when something is first stored with it (API-044), and returns the id of the dashboard.
 * @throws ApiError
 */
export function ensureStored(store: DashboardStore): Promise<number> {
  const { id } = store.getState().dashboard.result
  if (id !== newDashboardId) return Promise.resolve(id)
  const running = pending.get(store)
  if (running) return running
  const created = create(store).finally(() => pending.delete(store))
  pending.set(store, created)
  return created
}

async function create(store: DashboardStore): Promise<number> {
  const { dashboard, history, actions } = store.getState()
  const { id } = await createDashboard({ dashboard_title: titleOf(dashboard, history.present).trim() || untitled })
  const changed_on = await fetchChangedOn(id)
  actions.updateDocument((document) => ({ ...document, result: { ...document.result, id, changed_on } }))
  clearDashboardDraft(newDashboardId, userId)
  return id
}
