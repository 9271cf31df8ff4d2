import { AppError } from '@parquetry/model'

export interface RateLimiter {
  /** @throws AppError `too_many` */
  take(kind: 'read' | 'write' | 'query', caller: string): void
}

const windowMs = 60_000

/** Counts requests per caller in fixed windows of one minute, in this process. Beyond the limit `take` throws; nothing waits. */
export function createRateLimiter(limits: Record<'read' | 'write' | 'query', number>, now: () => number): RateLimiter {
  let windowStart = 0
  let counts = new Map<string, number>()
  return {
    take(kind, caller) {
      const limit = limits[kind]
      if (limit <= 0) return
      if (now() - windowStart >= windowMs) {
        windowStart = now()
        counts = new Map()
      }
      const key = `${kind} ${caller}`
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      if (count > limit) throw new AppError('too_many')
    },
  }
}
