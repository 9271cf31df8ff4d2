import { AppError, message } from '@parquetry/model'
import type { Rate } from '../settings/parse-rate.ts'

/** Limits per address, and per account from any address, as multiples of the limit per account and address. */
const limitFactors = { address: 5, account: 10 }

export type AttemptOutcome = 'right' | 'wrong' | 'unknown'

interface AttemptCount {
  failed: number
  since: number
  /** Attempts whose password is being checked. */
  open: number
  /** Attempts that wait for one of those to end. */
  waiting: (() => void)[]
}

/**
 * Throttles password guessing. Only failures count, including those among the attempts in flight: an attempt that may exceed the
 * limit waits until earlier ones have ended. A success clears the failures of this address for this account; failures of others
 * for an account count only against addresses that have failed themselves. The window expires, so no user is locked out for long.
 * @param rate  null disables throttling
 * @param now   milliseconds of a steady clock
 */
export function createThrottle(rate: Rate | null, now: () => number) {
  const counts = new Map<string, AttemptCount>()
  const windowMs = rate?.windowMs ?? 0
  const countFailures = (count: AttemptCount): number => (now() - count.since < windowMs ? count.failed : 0)

  function getCount(key: string): AttemptCount {
    const existing = counts.get(key)
    if (existing) return existing
    if (counts.size > 50_000) for (const [other, { open }] of counts) if (open === 0) counts.delete(other)
    const created = { failed: 0, since: 0, open: 0, waiting: [] }
    counts.set(key, created)
    return created
  }

  function refuse({ since }: AttemptCount): never {
    const retryAfter = Math.ceil((since + windowMs - now()) / 1000)
    const minutes = Math.ceil(retryAfter / 60)
    throw new AppError('too_many', {
      message: message(
        'errors.security.tooManySignIns',
        'Too many failed sign-ins. Try again in {minutes, plural, one {# minute} other {# minutes}}.',
        { minutes },
      ),
      details: { retryAfter },
    })
  }

  /**
   * Starts an attempt.
   * @returns a function to call with the outcome; `unknown` does not count
   * @throws AppError `too_many` with the remaining seconds
   */
  return async function beginAttempt(account: string, address: string): Promise<(outcome: AttemptOutcome) => void> {
    if (!rate) return () => undefined
    const name = account.toLowerCase()
    const pairCount = getCount(`pair ${name} ${address}`)
    const addressCount = getCount(`address ${address}`)
    const accountCount = getCount(`account ${name}`)
    const all = [pairCount, addressCount, accountCount]
    const limits = (): [AttemptCount, number][] => [
      [pairCount, rate.count],
      [addressCount, rate.count * limitFactors.address],
      ...(countFailures(addressCount) > 0
        ? [[accountCount, rate.count * limitFactors.account] as [AttemptCount, number]]
        : []),
    ]
    for (;;) {
      for (const [count, limit] of limits()) if (countFailures(count) >= limit) refuse(count)
      const busy = limits().find(([count, limit]) => countFailures(count) + count.open >= limit)
      if (!busy) break
      await new Promise<void>((resolve) => busy[0].waiting.push(resolve))
    }
    for (const count of all) count.open += 1
    return (outcome) => {
      if (outcome === 'right') pairCount.failed = 0
      for (const count of all) {
        count.open -= 1
        if (outcome === 'wrong') {
          if (countFailures(count) === 0) Object.assign(count, { failed: 0, since: now() })
          count.failed += 1
        }
        for (const resume of count.waiting.splice(0)) resume()
      }
    }
  }
}

/** Begins a sign-in attempt of an account from an address, unless too many have failed. */
export type BeginAttempt = ReturnType<typeof createThrottle>
