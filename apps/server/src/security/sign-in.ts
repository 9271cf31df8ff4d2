import type { HttpDeps } from '../http/app.ts'
import { formatStoredTime } from '../store/time.ts'
import { verifyPassword } from './passwords.ts'
import type { AttemptOutcome, Throttle } from './throttle.ts'
import { findUser } from './users.ts'

/**
 * Checks name and password.
 * @returns the user's id, or undefined: whether the name or the password is wrong stays unsaid, and takes the same time
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
    .catch(() => undefined) // a full disk keeps nobody out for the sake of a note
  return user.id
}
