import { readLayout, writeLayout, type Layout } from '@parquetry/model'
import type { Settings } from '../document/settings.ts'

/** What was edited and waits in the browser: what a reload, a crash or a closed window must not lose. */
export interface LayoutDraft {
  layout: Layout
  /** Absent in drafts of before. */
  settings?: Settings | undefined
  /** `changed_on` of the document that it was made from. */
  from: string | null
  /** When it was kept, in ms. */
  at: number
}

const keyOf = (dashboardId: number): string => `parquetry.dashboard.draft.${dashboardId}`

export function keepDraft(dashboardId: number, { layout, settings, from, at }: LayoutDraft, user: number | null): void {
  try {
    localStorage.setItem(
      keyOf(dashboardId),
      JSON.stringify({ positions: writeLayout(layout), settings, from, at, user }),
    )
  } catch {
    // A full or closed storage loses the safety net, not the work: that is still on the page.
  }
}

export const dropDraft = (dashboardId: number): void => localStorage.removeItem(keyOf(dashboardId))

interface Kept {
  positions: unknown
  settings?: Settings
  from: string | null
  at: number
  user?: number | null
}

/** Null when there is none, it is somebody else's who used this browser, or it is not readable. */
export function readDraft(dashboardId: number, user: number | null): LayoutDraft | null {
  const text = localStorage.getItem(keyOf(dashboardId))
  if (text === null) return null
  try {
    const { positions, settings, from, at, user: whose = user } = JSON.parse(text) as Kept
    const isWhole =
      settings === undefined || (typeof settings.fields === 'object' && typeof settings.metadata === 'object')
    return typeof at === 'number' && isWhole && whose === user
      ? { layout: readLayout(positions), settings, from, at }
      : null
  } catch {
    return null
  }
}
