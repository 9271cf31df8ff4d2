/** The one tooltip of the page: where it stands and what it says. */
export interface Tip {
  anchor: HTMLElement
  text: string
  shortcut: string | undefined
}

const openDelayMs = 400
const closeDelayMs = 100
let current: Tip | null = null
/** Whose tip is shown or comes next. */
let owner: HTMLElement | null = null
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

const set = (tip: Tip | null): void => {
  if (current === tip) return
  current = tip
  for (const listener of listeners) listener()
}

export const currentTip = (): Tip | null => current
export const subscribeTip = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Nothing is shown when the anchor has left the page by then: it fires no event of its own. */
export function showTip(tip: Tip, afterMs = openDelayMs): void {
  clearTimeout(timer)
  owner = tip.anchor
  timer = setTimeout(() => set(tip.anchor.checkVisibility() ? tip : null), current ? 0 : afterMs)
}

/** Hides the tip; given an anchor only its own, because the old one often loses the focus after the new one has got the pointer. */
export function hideTip(afterMs = closeDelayMs, anchor: HTMLElement | null = owner): void {
  if (anchor !== owner) return
  clearTimeout(timer)
  if (afterMs === 0) set(null)
  else timer = setTimeout(() => set(null), afterMs)
}

/** Called by the tooltip itself when the pointer rests on it. */
export const cancelHideTip = (): void => clearTimeout(timer)
