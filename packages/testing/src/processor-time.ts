/** Returns the CPU time of this thread in milliseconds. Unlike wall-clock time it does not include other processes. */
const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Returns the CPU time of `work` in milliseconds. */
export function measureCpuMs(work: () => void): number {
  const before = threadMs()
  work()
  return threadMs() - before
}

/** CPU time of the event loop's thread, in milliseconds. */
export interface EventLoopMeasurement<T> {
  result: T
  /** The longest time in which the event loop was blocked, so that no other request was handled. */
  longestMs: number
  totalMs: number
}

/** Runs `work` and measures the CPU time of its event loop, which is not affected by a busy machine. */
export async function measureEventLoop<T>(work: () => Promise<T>): Promise<EventLoopMeasurement<T>> {
  const begun = threadMs()
  let last = begun
  let longestMs = 0
  const look = () => {
    const now = threadMs()
    longestMs = Math.max(longestMs, now - last)
    last = now
  }
  const timer = setInterval(look, 1)
  try {
    const result = await work()
    // A block at the end of the work may last until the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
    look()
    return { result, longestMs, totalMs: last - begun }
  } finally {
    clearInterval(timer)
  }
}
