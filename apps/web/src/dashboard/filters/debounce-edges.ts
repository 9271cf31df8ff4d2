/**
 * Something that is done at once, unless it follows an earlier call while that one's work is under way: of such a burst the last one is
 * done, when none came for a while.
 */
export interface DebouncedAction {
  call(): void
  /** Forgets what waits; the next call is a first one. */
  stop(): void
}

/** @param isUnderWay  whether what was begun is not done yet */
export function debounceEdges(act: () => void, quietMs: number, isUnderWay: () => boolean): DebouncedAction {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWaiting = false
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
    isWaiting = false
  }
  const rest = () => {
    const isDue = isWaiting
    stop()
    if (isDue) act()
  }
  return {
    call() {
      isWaiting = timer !== undefined && isUnderWay()
      clearTimeout(timer)
      timer = setTimeout(rest, quietMs)
      if (!isWaiting) act()
    },
    stop,
  }
}
