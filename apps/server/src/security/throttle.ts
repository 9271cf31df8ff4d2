import { AppError } from '@parquetry/model'

const windowMs = 5 * 60_000
/** Failed tries in the window: of one account from one address, from one address, of one account from anywhere. */
const limits = { pair: 10, address: 50, account: 100 }

/**
 * Slows guessing of passwords down. Only failures count; a success clears what this address had against this account. The
 * window ends by itself, so that nobody is kept out of his account for long.
 */
export function createThrottle(now: () => number) {
  const failures = new Map<string, { count: number; since: number }>()
  const keysOf = (account: string, address: string) =>
    [
      [`pair ${account.toLowerCase()} ${address}`, limits.pair],
      [`address ${address}`, limits.address],
      [`account ${account.toLowerCase()}`, limits.account],
    ] as const
  const living = (key: string) => {
    const entry = failures.get(key)
    return entry && now() - entry.since < windowMs ? entry : undefined
  }
  return {
    /** @throws AppError `too_many` with the minutes left */
    check(account: string, address: string): void {
      for (const [key, limit] of keysOf(account, address)) {
        const entry = living(key)
        if (!entry || entry.count < limit) continue
        const retryAfter = Math.ceil((entry.since + windowMs - now()) / 1000)
        const minutes = Math.ceil(retryAfter / 60)
        throw new AppError('too_many', {
          message: `Too many failed sign-ins. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
          details: { retryAfter },
        })
      }
    },
    failed(account: string, address: string): void {
      if (failures.size > 50_000) failures.clear()
      for (const [key] of keysOf(account, address)) {
        const entry = living(key)
        if (entry) entry.count += 1
        else failures.set(key, { count: 1, since: now() })
      }
    },
    succeeded(account: string, address: string): void {
      failures.delete(keysOf(account, address)[0][0])
    },
  }
}

export type Throttle = ReturnType<typeof createThrottle>
