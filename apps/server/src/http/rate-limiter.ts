import { AppError } from '@parquetry/model'

export interface RateLimiter {
  /** @param key  whom to count the request for. @throws AppError `too_many` */
  take(kind: 'read' | 'write' | 'query', key: string): void
}

const windowMs = 60_000

/** Counts requests by key in fixed windows of one minute, in this process. Beyond the limit `take` throws; nothing waits. */
export function createRateLimiter(limits: Record<'read' | 'write' | 'query', number>, now: () => number): RateLimiter {
  let windowStart = 0
  let counts = new Map<string, number>()
  return {
    take(kind, key) {
      const limit = limits[kind]
      if (limit <= 0) return
      if (now() - windowStart >= windowMs) {
        windowStart = now()
        counts = new Map()
      }
      const id = `${kind} ${key}`
      const count = (counts.get(id) ?? 0) + 1
      counts.set(id, count)
      if (count > limit) throw new AppError('too_many')
    },
  }
}
