/** The only tooltip of the page, with its anchor and text. */
export interface Tip {
  anchor: HTMLElement
  text: string
  shortcut: string | undefined
}

const openDelayMs = 400
const closeDelayMs = 100
let current: Tip | null = null
/** Anchor of the tooltip that is shown or pending. */
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

/** Shows a tooltip after a delay, unless its anchor has left the page by then, which fires no event. */
export function showTip(tip: Tip, afterMs = openDelayMs): void {
  clearTimeout(timer)
  owner = tip.anchor
  timer = setTimeout(() => set(tip.anchor.checkVisibility() ? tip : null), current ? 0 : afterMs)
}

/**
 * Hides the tooltip. With an anchor it only hides that anchor's tooltip, because the old anchor often loses the focus after the
 * pointer has reached the new one.
 */
export function hideTip(afterMs = closeDelayMs, anchor: HTMLElement | null = owner): void {
  if (anchor !== owner) return
  clearTimeout(timer)
  if (afterMs === 0) set(null)
  else timer = setTimeout(() => set(null), afterMs)
}

/** Keeps the tooltip while the pointer rests on it; called by the tooltip. */
export const cancelHideTip = (): void => clearTimeout(timer)
