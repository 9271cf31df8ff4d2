/** Concurrency limits of the runner processes. Limits per user are beside their use: jobs, images and downloads of images. */

/** Network queries mostly wait for their servers, so a process runs several. */
const networkJobs = 8

/** Slots of one source. One user counts as half of them at most while others want one (`FairQueue`). */
export interface ConcurrencyLimits {
  /** Statements of users. */
  runs: number
  /** Part of `runs` that background statements may use, which take minutes. */
  background: number
  /** Reserved for short requests, such as parsing SQL and listing the catalog. */
  short: number
  /** Parallel tries of statements whose queue is stuck. */
  tries: number
  /** Results still being read after their slot was released; more than these keep their slot. */
  streams: number
}

const withBackground = (runs: number): Pick<ConcurrencyLimits, 'runs' | 'background'> => ({
  runs,
  background: Math.max(1, Math.floor(runs / 2)),
})

/** As many statements as cores, but at least two: more would only be slower. */
export const embeddedLimits = (cores: number): ConcurrencyLimits => ({
  ...withBackground(Math.max(2, cores)),
  short: 4,
  tries: 2,
  streams: 8,
})

export const networkProcesses = (cores: number): number => Math.min(4, cores)

export const networkLimits = (cores: number): ConcurrencyLimits => ({
  ...withBackground(networkProcesses(cores) * networkJobs),
  short: 8,
  tries: 4,
  streams: 16,
})

/** Slots of the processes that are shared by all sources. */
export const sharedLimits = (cores: number) => ({
  /** A parser holds its process until it is done. */
  parser: 1,
  encode: 4,
  /** Each job in a process of its own, as are the following. One user draws one image at a time, so others find a slot. */
  draw: Math.max(3, cores),
  /** One user counts as half. */
  shape: Math.max(2, cores),
  /** One file of a user at a time. */
  load: 2,
  preview: 2,
  reader: 2,
})

/**
 * Size of the thread pool that DuckDB and DNS share in one process. An embedded query holds a thread from beginning to end, so
 * there is one for each slot and some for ourselves.
 */
export const threadPoolSize = (cores: number): number => {
  const { runs, short, streams } = embeddedLimits(cores)
  return Math.ceil(1.5 * (runs + short + streams)) + 4
}
