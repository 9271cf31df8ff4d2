import { type EventLoopUtilization, performance } from 'node:perf_hooks'

export interface IdleMemoryOptions {
  /** Frees memory. Defaults to V8's own collection, available when the process is started with `apps/cli/node-flags`. */
  collect?: (() => unknown) | undefined
  everyMs?: number
  /** Amount of work that makes a collection worthwhile. */
  worthMs?: number
  /** Returns the active and idle time of the event loop since the start. */
  readLoop?: () => EventLoopUtilization
}

/** Activity below this share of an interval is only health checks and timers. */
const maxIdleUtilization = 0.02

const collectAll = (): void => globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })

/**
 * Frees memory once the server is idle after work. V8 leaves that to a later collection, which an idle process never reaches:
 * garbage and its pages would remain until the next requests.
 * @returns a function that stops it
 */
export function startIdleCollection({
  collect = collectAll,
  everyMs = 3000,
  worthMs = 1000,
  readLoop = () => performance.eventLoopUtilization(),
}: IdleMemoryOptions = {}) {
  // The start counts as work: a quarter of what it leaves is garbage.
  let workedMs = worthMs
  let before = readLoop()
  const timer = setInterval(() => {
    const now = readLoop()
    const { active, utilization } = performance.eventLoopUtilization(now, before)
    before = now
    workedMs += active
    if (utilization > maxIdleUtilization || workedMs < worthMs) return
    collect()
    workedMs = 0
    // The collection itself does not count as work.
    before = readLoop()
  }, everyMs).unref()
  return (): void => clearInterval(timer)
}
