import type { HttpDeps } from '../http/app.ts'
import { formatStoredTime } from '../store/time.ts'
import { verifyPassword } from './passwords.ts'
import type { AttemptOutcome, BeginAttempt } from './sign-in-throttle.ts'
import { findUser } from './users.ts'

/**
 * Checks a username and a password, and counts failures of the user since their last sign-in.
 * @returns the user's id, or undefined without revealing, even by its duration, whether the name or the password is wrong
 * @throws AppError `too_many`
 */
export async function checkPassword(
  { db }: Pick<HttpDeps, 'db'>,
  beginAttempt: BeginAttempt,
  { username, password, address }: { username: string; password: string; address: string },
): Promise<number | undefined> {
  const end = await beginAttempt(username, address)
  let outcome: AttemptOutcome = 'unknown'
  let user: Awaited<ReturnType<typeof findUser>>
  try {
    user = await findUser(db, username)
    outcome = (await verifyPassword(user?.active === 1 ? user.password : null, password)) ? 'right' : 'wrong'
  } finally {
    end(outcome)
  }
  if (!user) return undefined
  if (outcome === 'right') return user.id
  await db
    .updateTable('user')
    .set((is) => ({ fail_login_count: is('fail_login_count', '+', 1) }))
    .where('id', '=', user.id)
    .execute()
    .catch(() => undefined) // the response does not depend on this update
  return undefined
}

/** Records that a user has signed in. */
export async function recordSignIn({ db, now }: Pick<HttpDeps, 'db' | 'now'>, userId: number): Promise<void> {
  await db
    .updateTable('user')
    .set((is) => ({
      last_login: formatStoredTime(now()),
      login_count: is('login_count', '+', 1),
      fail_login_count: 0,
    }))
    .where('id', '=', userId)
    .execute()
    .catch(() => undefined) // signing in works without this update, as on a full disk
}
