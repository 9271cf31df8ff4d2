import type { HttpDeps } from '../http/app.ts'
import { formatStoredTime } from '../store/time.ts'
import { verifyPassword } from './passwords.ts'
import type { AttemptOutcome, Throttle } from './sign-in-throttle.ts'
import { findUser } from './users.ts'

/**
 * Checks a username and a password.
 * @returns the user's id, or undefined without revealing, even by its duration, whether the name or the password is wrong
 * @throws AppError `too_many`
 */
export async function checkPassword(
  { db, now }: Pick<HttpDeps, 'db' | 'now'>,
  throttle: Throttle,
  { username, password, address }: { username: string; password: string; address: string },
): Promise<number | undefined> {
  const end = await throttle(username, address)
  let outcome: AttemptOutcome = 'unknown'
  let user: Awaited<ReturnType<typeof findUser>>
  try {
    user = await findUser(db, username)
    outcome = (await verifyPassword(user?.active === 1 ? user.password : null, password)) ? 'right' : 'wrong'
  } finally {
    end(outcome)
  }
  if (!user || outcome === 'wrong') return undefined
  await db
    .updateTable('user')
    .set({ last_login: formatStoredTime(now()), login_count: user.login_count + 1 })
    .where('id', '=', user.id)
    .execute()
    .catch(() => undefined) // signing in works without this update, as on a full disk
  return user.id
}
