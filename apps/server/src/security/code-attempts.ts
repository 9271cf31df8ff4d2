import type { BeginAttempt } from './sign-in-throttle.ts'

/** Runs a check of a code unless too many have failed. Null is a wrong code. */
export type CodeAttempts = <T>(account: { username: string }, check: () => Promise<T | null>) => Promise<T | null>

/**
 * Limits guessing of codes like that of passwords, but per account from all addresses together: someone who guesses codes knows
 * the password, and a code has only six digits. A correct password does not clear these failures.
 * @throws AppError `too_many`
 */
export const throttleCodes =
  (beginAttempt: BeginAttempt): CodeAttempts =>
  async (account, check) => {
    const name = `second factor of ${account.username}`
    const end = await beginAttempt(name, name)
    let isCorrect: boolean | undefined
    try {
      const result = await check()
      isCorrect = result !== null
      return result
    } finally {
      end(isCorrect === undefined ? 'unknown' : isCorrect ? 'right' : 'wrong')
    }
  }
