/**
 * Debounce with a leading edge: the first call acts immediately; calls that follow while its work is running are combined into
 * one after a quiet period.
 */
export interface DebouncedAction {
  call(): void
  /** Discards the pending call; the next call acts immediately. */
  stop(): void
  /** Makes the pending call now. */
  flush(): void
}

/** @param isRunning  true while the work of the last action is running */
export function debounceEdges(act: () => void, quietMs: number, isRunning: () => boolean): DebouncedAction {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWaiting = false
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
    isWaiting = false
  }
  const flush = () => {
    const isDue = isWaiting
    stop()
    if (isDue) act()
  }
  return {
    call() {
      isWaiting = timer !== undefined && isRunning()
      clearTimeout(timer)
      timer = setTimeout(flush, quietMs)
      if (!isWaiting) act()
    },
    stop,
    flush,
  }
}
