import { readLayout, writeLayout, type Layout } from '@parquetry/model'
import type { Settings } from '../document/settings.ts'

/** Layout and settings of a dashboard at one time. */
interface State {
  layout: Layout
  settings: Settings
}

/** What was edited and waits in the browser: what a reload, a crash or a closed window must not lose. */
export interface Draft extends Omit<State, 'settings'> {
  /** Absent in drafts of before. */
  settings?: Settings | undefined
  /** What it was made from: what both of two editors began with. Absent in drafts of before. */
  base?: (State & { title: string | null }) | undefined
  /** `changed_on` of the document that it was made from. */
  from: string | null
  /** When it was kept, in ms. */
  at: number
}

/** Whoever else signs in on this browser has drafts of his own. */
export type Editor = number | null

const keyOf = (dashboardId: number, editor: Editor): string =>
  `parquetry.dashboard.draft.${dashboardId}.${editor ?? ''}`

export function keepDraft(dashboardId: number, editor: Editor, draft: Draft): void {
  const { layout, settings, base, from, at } = draft
  const kept: Kept = {
    positions: writeLayout(layout),
    settings,
    base: base && { positions: writeLayout(base.layout), settings: base.settings, title: base.title },
    from,
    at,
  }
  try {
    localStorage.setItem(keyOf(dashboardId, editor), JSON.stringify(kept))
  } catch {
    // A full or closed storage loses the safety net, not the work: that is still on the page.
  }
}

export const dropDraft = (dashboardId: number, editor: Editor): void =>
  localStorage.removeItem(keyOf(dashboardId, editor))

interface Kept {
  positions: unknown
  settings?: Settings | undefined
  base?: { positions: unknown; settings: Settings; title: string | null } | undefined
  from: string | null
  at: number
}

const areSettings = (settings: Settings | undefined): boolean =>
  typeof settings?.fields === 'object' && typeof settings.metadata === 'object'

/** Null when there is none or it is not readable. */
export function readDraft(dashboardId: number, editor: Editor): Draft | null {
  const text = localStorage.getItem(keyOf(dashboardId, editor))
  if (text === null) return null
  try {
    const { positions, settings, base, from, at } = JSON.parse(text) as Kept
    if (typeof at !== 'number' || (settings !== undefined && !areSettings(settings))) return null
    const began =
      base && areSettings(base.settings)
        ? { layout: readLayout(base.positions), settings: base.settings, title: base.title }
        : undefined
    return { layout: readLayout(positions), settings, base: began, from, at }
  } catch {
    return null
  }
}
