/** Processor time that `work` takes, in milliseconds. Unlike a wall clock it does not count the time of other programs. */
export function measureCpuMs(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
