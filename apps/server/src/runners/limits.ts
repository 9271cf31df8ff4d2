/** How much runs at the same time, by what it costs: the one home of these numbers. */

/** Network queries wait for their servers, so a process holds several. */
const networkJobs = 8

/** Places at one source. One person counts as half of them while others want one (`Line`). */
export interface ConcurrencyLimits {
  /** Statements of people. */
  runs: number
  /** Of those, at most so many of runs in the background, which take minutes. */
  background: number
  /** What runs cannot fill: reading SQL, lists of the catalogue. */
  short: number
  /** Tries of statements that nothing moves in front of. */
  tries: number
  /** Results whose engine goes on while somebody reads them; beyond that they keep the place of their run. */
  streams: number
}

const withBackground = (runs: number): Pick<ConcurrencyLimits, 'runs' | 'background'> => ({
  runs,
  background: Math.max(1, Math.floor(runs / 2)),
})

/** As many statements as there are cores: more would only be slower. */
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

/** Of the processes that no source has of its own. */
export const sharedLimits = (cores: number) => ({
  /** A parser does not let go of its process before it is done. */
  parser: 1,
  encode: 4,
  draw: cores,
  load: 1,
  look: 2,
  reader: 2,
})

/**
 * Threads that DuckDB and DNS share in one process. An embedded query holds one from beginning to end, so there is one for
 * everything that the places let in, and some for ourselves.
 */
export const threadPoolSize = (cores: number): number => {
  const { runs, short, streams } = embeddedLimits(cores)
  return Math.ceil(1.5 * (runs + short + streams)) + 4
}
