import { readLayout, writeLayout, type Layout } from '@parquetry/model'
import type { DashboardSettings } from '../document/settings.ts'

/** Layout and settings of a dashboard at one time. */
interface DraftState {
  layout: Layout
  settings: DashboardSettings
}

/** Unsaved edits stored in the browser, so that a reload, a crash or a closed window does not lose them. */
export interface DashboardDraft extends Omit<DraftState, 'settings'> {
  /** Absent in older drafts. */
  settings?: DashboardSettings | undefined
  /** State that the draft is based on, for a three-way merge. Absent in older drafts. */
  base?: (DraftState & { title: string | null }) | undefined
  /** `changed_on` of the document that the draft is based on. */
  from: string | null
  /** Time when it was stored, in ms. */
  at: number
}

/** User id; each user of this browser has separate drafts. */
export type DashboardDraftOwner = number | null

const storageKey = (dashboardId: number, editor: DashboardDraftOwner): string =>
  `parquetry.dashboard.draft.${dashboardId}.${editor ?? ''}`

export function storeDashboardDraft(dashboardId: number, editor: DashboardDraftOwner, draft: DashboardDraft): void {
  const { layout, settings, base, from, at } = draft
  const stored: StoredDraft = {
    positions: writeLayout(layout),
    settings,
    base: base && { positions: writeLayout(base.layout), settings: base.settings, title: base.title },
    from,
    at,
  }
  try {
    localStorage.setItem(storageKey(dashboardId, editor), JSON.stringify(stored))
  } catch {
    // If storage is full or blocked, only the safety net is lost: the work is still on the page.
  }
}

export const clearDashboardDraft = (dashboardId: number, editor: DashboardDraftOwner): void =>
  localStorage.removeItem(storageKey(dashboardId, editor))

interface StoredDraft {
  positions: unknown
  settings?: DashboardSettings | undefined
  base?: { positions: unknown; settings: DashboardSettings; title: string | null } | undefined
  from: string | null
  at: number
}

const areSettings = (settings: DashboardSettings | undefined): boolean =>
  typeof settings?.fields === 'object' && typeof settings.metadata === 'object'

/** Returns null if there is no draft or it is not readable. */
export function readDashboardDraft(dashboardId: number, editor: DashboardDraftOwner): DashboardDraft | null {
  const text = localStorage.getItem(storageKey(dashboardId, editor))
  if (text === null) return null
  try {
    const { positions, settings, base, from, at } = JSON.parse(text) as StoredDraft
    if (typeof at !== 'number' || (settings !== undefined && !areSettings(settings))) return null
    const parsedBase =
      base && areSettings(base.settings)
        ? { layout: readLayout(base.positions), settings: base.settings, title: base.title }
        : undefined
    return { layout: readLayout(positions), settings, base: parsedBase, from, at }
  } catch {
    return null
  }
}
