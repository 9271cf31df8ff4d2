/** Undo slots of one dashboard's layout (DASH-062): as many steps can be undone; one more is kept to know that they ran out. */
export const undoLimit = 50

export interface History<T> {
  /** Oldest first. */
  readonly past: readonly T[]
  readonly present: T
  /** What undo took back, next one first. */
  readonly future: readonly T[]
  /** Steps were forgotten since the last save, so that an empty past is not the saved state (DASH-063). */
  readonly isExceeded: boolean
}

export const startHistory = <T>(present: T): History<T> => ({ past: [], present, future: [], isExceeded: false })

/** A step; none when `next` is the very same value. */
export const record = <T>(history: History<T>, next: T): History<T> =>
  next === history.present ? history : push(history, next)

/** A step, whatever the value: of two histories that go step by step, the one that did not change. */
export function push<T>(history: History<T>, next: T): History<T> {
  const past = [...history.past, history.present]
  return {
    past: past.slice(-(undoLimit + 1)),
    present: next,
    future: [],
    isExceeded: history.isExceeded || past.length > undoLimit,
  }
}

export function undo<T>(history: History<T>): History<T> {
  const present = history.past.at(-1)
  if (present === undefined) return history
  return { ...history, past: history.past.slice(0, -1), present, future: [history.present, ...history.future] }
}

export function redo<T>(history: History<T>): History<T> {
  const [present, ...future] = history.future
  return present === undefined ? history : { ...history, past: [...history.past, history.present], present, future }
}

/** DASH-053 to DASH-055: changed until all steps are undone or a save starts a new history. */
export const isChanged = <T>({ past, isExceeded }: History<T>): boolean => past.length > 0 || isExceeded

/** DASH-064: the step that takes the last slot is the one to warn at. */
export const reachesUndoLimit = <T>(before: History<T>, after: History<T>): boolean =>
  before.past.length < undoLimit && after.past.length >= undoLimit
