import { useSyncExternalStore } from 'react'

/** One clock per step for the whole page; it stops without listeners. */
const clocks = new Map<
  number,
  { now: number; listeners: Set<() => void>; timer: ReturnType<typeof setInterval> | null }
>()

function getClock(stepMs: number) {
  const clock = clocks.get(stepMs) ?? { now: Date.now(), listeners: new Set<() => void>(), timer: null }
  clocks.set(stepMs, clock)
  const tick = () => {
    clock.now = Date.now()
    for (const listener of clock.listeners) listener()
  }
  return {
    subscribe(listener: () => void) {
      clock.listeners.add(listener)
      clock.timer ??= setInterval(tick, stepMs)
      if (clock.listeners.size === 1) clock.now = Date.now()
      return () => {
        clock.listeners.delete(listener)
        if (clock.listeners.size > 0 || clock.timer === null) return
        clearInterval(clock.timer)
        clock.timer = null
      }
    },
    read: () => clock.now,
  }
}

const minute = getClock(60_000)
const second = getClock(1000)

/** Milliseconds since 1970, updated each minute or each second: for ages and elapsed times. */
export const useNow = (step: 'minute' | 'second' = 'minute'): number => {
  const clock = step === 'minute' ? minute : second
  return useSyncExternalStore(clock.subscribe, clock.read)
}
