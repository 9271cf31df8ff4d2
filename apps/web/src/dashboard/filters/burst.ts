/** Something that is done at the first call, and after a burst of them once more when none came for a while. */
export interface Burst {
  call(): void
  /** Forgets what waits; the next call is a first one. */
  stop(): void
}

export function burst(act: () => void, quietMs: number): Burst {
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
      isWaiting = timer !== undefined
      clearTimeout(timer)
      timer = setTimeout(rest, quietMs)
      if (!isWaiting) act()
    },
    stop,
  }
}
