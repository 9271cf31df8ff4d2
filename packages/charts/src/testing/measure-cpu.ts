/** Measures the CPU time of `work` in milliseconds. Unlike wall-clock time, it excludes other programs. */
export function measureCpuMs(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
