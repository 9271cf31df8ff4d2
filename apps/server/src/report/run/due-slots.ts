/** Scheduled times of a report that have come. */
export interface DueSlots {
  /** The latest one that is not in the future. */
  latest: Date
  /** Those before it. `count` is at most `maxCounted`. */
  earlier: { first: Date; last: Date; count: number } | null
  /** The next one; null when none is left. */
  next: Date | null
}

/** A minutely schedule has more times in a year than can be listed. */
export const maxCounted = 1000

/**
 * Finds the scheduled times from `first`, which is not in the future, until now. Only as many as `maxCounted` are listed one by
 * one, so that an outage of any length costs little.
 * @param nextAfter  the first scheduled time after another
 */
export function findDueSlots(first: Date, now: Date, nextAfter: (after: Date) => Date | null): DueSlots {
  let latest = first
  let last = first
  let next = nextAfter(first)
  let count = 0
  while (next !== null && next <= now && count < maxCounted) {
    last = latest
    latest = next
    count += 1
    next = nextAfter(latest)
  }
  if (next !== null && next <= now) {
    last = latest
    latest = findLatest(latest, now, nextAfter)
    next = nextAfter(latest)
  }
  return { latest, earlier: count === 0 ? null : { first, last, count }, next }
}

const minuteMs = 60_000

/** Looks back from now in windows of doubled length until one contains a scheduled time, then walks through that window. */
function findLatest(from: Date, now: Date, nextAfter: (after: Date) => Date | null): Date {
  for (let windowMs = minuteMs; ; windowMs *= 2) {
    const start = new Date(Math.max(from.getTime(), now.getTime() - windowMs))
    let found = nextAfter(start)
    if (found === null || found > now) {
      if (start.getTime() === from.getTime()) return from
      continue
    }
    for (let next = nextAfter(found); next !== null && next <= now; next = nextAfter(next)) found = next
    return found
  }
}
