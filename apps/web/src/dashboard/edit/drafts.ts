import { readLayout, writeLayout, type Layout } from '@parquetry/model'

/** An edited layout that waits in the browser: what a reload, a crash or a closed window must not lose. */
export interface LayoutDraft {
  layout: Layout
  /** `changed_on` of the document that it was made from. */
  from: string | null
  /** When it was kept, in ms. */
  at: number
}

const keyOf = (dashboardId: number): string => `parquetry.dashboard.draft.${dashboardId}`

export function keepDraft(dashboardId: number, { layout, from, at }: LayoutDraft): void {
  try {
    localStorage.setItem(keyOf(dashboardId), JSON.stringify({ positions: writeLayout(layout), from, at }))
  } catch {
    // A full or closed storage loses the safety net, not the work: that is still on the page.
  }
}

export const dropDraft = (dashboardId: number): void => localStorage.removeItem(keyOf(dashboardId))

/** Null when there is none, or it is not readable. */
export function readDraft(dashboardId: number): LayoutDraft | null {
  const text = localStorage.getItem(keyOf(dashboardId))
  if (text === null) return null
  try {
    const { positions, from, at } = JSON.parse(text) as { positions: unknown; from: string | null; at: number }
    return typeof at === 'number' ? { layout: readLayout(positions), from, at } : null
  } catch {
    return null
  }
}
