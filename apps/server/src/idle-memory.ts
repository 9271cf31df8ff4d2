import { type EventLoopUtilization, performance } from 'node:perf_hooks'

export interface IdleMemoryOptions {
  /** Gives memory back. By default V8's own collection, where the process is started with `apps/cli/node-flags`. */
  collect?: (() => unknown) | undefined
  everyMs?: number
  /** After so much work there is something to give back. */
  worthMs?: number
  /** Reads how long the event loop has worked and rested since the start. */
  readLoop?: () => EventLoopUtilization
}

/** Less of a stretch of time than this is health checks and timers. */
const maxIdleUtilization = 0.02

const collectAll = (): void => globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })

/**
 * Gives memory back once the server rests after work. V8 leaves that to a later collection, which an idle process does not come
 * to: garbage, and the pages that it lies in, would stay for as long as nobody asks.
 * @returns ends it
 */
export function startIdleCollection({
  collect = collectAll,
  everyMs = 3000,
  worthMs = 1000,
  readLoop = () => performance.eventLoopUtilization(),
}: IdleMemoryOptions = {}) {
  // The start was work: a quarter of what it leaves is garbage.
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
    // The collection itself is no work.
    before = readLoop()
  }, everyMs).unref()
  return (): void => clearInterval(timer)
}
