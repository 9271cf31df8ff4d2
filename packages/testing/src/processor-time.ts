/** Processor time of this thread in milliseconds. Unlike a wall clock it does not count the time of other programs. */
const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Processor time that `work` takes, in milliseconds. */
export function measureCpuMs(work: () => void): number {
  const before = threadMs()
  work()
  return threadMs() - before
}

/** Processor time of the thread of the event loop, in milliseconds. */
export interface EventLoopMeasurement<T> {
  result: T
  /** The longest stretch in which the loop did not turn, so that it answered no other request. */
  longestMs: number
  totalMs: number
}

/** Runs `work` and measures the processor time of its event loop, which does not grow on a busy machine. */
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
    // A stretch at the end of the work may go on until the loop turns once more.
    await new Promise((resolve) => setImmediate(resolve))
    look()
    return { result, longestMs, totalMs: last - begun }
  } finally {
    clearInterval(timer)
  }
}
