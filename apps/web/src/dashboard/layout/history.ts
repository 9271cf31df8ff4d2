/** Number of undoable steps of a dashboard's layout (DASH-062); one more is stored to detect that they ran out. */
export const undoLimit = 50

export interface History<T> {
  /** Oldest first. */
  readonly past: readonly T[]
  readonly present: T
  /** Undone steps, next one first. */
  readonly future: readonly T[]
  /** Steps were discarded since the last save, so that an empty past is not the saved state (DASH-063). */
  readonly isExceeded: boolean
}

export const startHistory = <T>(present: T): History<T> => ({ past: [], present, future: [], isExceeded: false })

/** Records a step, unless `next` is the same value. */
export const record = <T>(history: History<T>, next: T): History<T> =>
  next === history.present ? history : push(history, next)

/** Records a step even if the value is the same, so that two histories keep the same steps. */
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

/** DASH-064: true for the step that uses the last slot, when the user is warned. */
export const reachesUndoLimit = <T>(before: History<T>, after: History<T>): boolean =>
  before.past.length < undoLimit && after.past.length >= undoLimit
