export interface ToastAction {
  label: string
  run(): void
}

export interface Toast {
  id: number
  kind: 'info' | 'success' | 'warning' | 'error'
  text: string
  action: ToastAction | undefined
  /** Number of times that the same text came while it was shown. */
  times: number
  at: Date
}

export interface ToastOptions {
  kind?: Toast['kind']
  action?: ToastAction
}

const historyLength = 50
let nextId = 1
let visible: readonly Toast[] = []
let history: readonly Toast[] = []
const listeners = new Set<() => void>()

const publish = (next: readonly Toast[]): void => {
  visible = next
  for (const listener of listeners) listener()
}

/** Shows a message at the bottom right for 5 s, or 8 s with an action; errors stay until closed. A repeated text becomes "x2". */
export function toast(text: string, { kind = 'success', action }: ToastOptions = {}): void {
  const same = visible.find((other) => other.text === text && other.kind === kind)
  const next: Toast = { id: nextId++, kind, text, action, times: (same?.times ?? 0) + 1, at: new Date() }
  history = [next, ...history.filter((other) => other.id !== same?.id)].slice(0, historyLength)
  publish([...visible.filter((other) => other !== same), next])
}

export const toastError = (text: string, action?: ToastAction): void =>
  toast(text, { kind: 'error', ...(action && { action }) })

export const closeToast = (id: number): void => publish(visible.filter((other) => other.id !== id))

export const subscribeToasts = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const currentToasts = (): readonly Toast[] => visible
/** The last 50, newest first, for "Recent messages". */
export const toastHistory = (): readonly Toast[] => history
