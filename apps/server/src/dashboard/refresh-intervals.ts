import { LRUCache } from 'lru-cache'

/** One interval of the timed refreshes of a dashboard, shared by all of its viewers. */
export interface RefreshInterval {
  /** Start of the interval in milliseconds. Results of runs that started earlier are not shown. */
  notBefore: number
  /** Start of the next one. */
  end: number
  /** Time of the first refresh. All use it as their clock, so that ranges relative to now give equal queries. */
  now: Date
}

const maxDashboards = 1000

/**
 * Intervals of timed refreshes. They begin at multiples of their length, for all viewers at the same time: the first viewer whose
 * refresh falls into an interval runs the queries, the others get the same results, and each viewer has one refresh in each.
 */
export class RefreshIntervals {
  readonly #last = new LRUCache<string, RefreshInterval>({ max: maxDashboards })

  current(dashboardId: number, seconds: number, now: Date): RefreshInterval {
    const key = `${dashboardId} ${seconds}`
    const notBefore = Math.floor(now.getTime() / (seconds * 1000)) * seconds * 1000
    const last = this.#last.get(key)
    if (last?.notBefore === notBefore) return last
    const interval = { notBefore, end: notBefore + seconds * 1000, now }
    this.#last.set(key, interval)
    return interval
  }
}
