import type { HttpDeps } from '../http/app.ts'
import { timeText } from '../store/time.ts'
import { isPassword } from './passwords.ts'
import type { Outcome, Throttle } from './throttle.ts'
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
  let outcome: Outcome = 'unknown'
  let user: Awaited<ReturnType<typeof findUser>>
  try {
    user = await findUser(db, username)
    outcome = (await isPassword(user?.active === 1 ? user.password : null, password)) ? 'right' : 'wrong'
  } finally {
    end(outcome)
  }
  if (!user || outcome === 'wrong') return undefined
  await db
    .updateTable('user')
    .set({ last_login: timeText(now()), login_count: user.login_count + 1 })
    .where('id', '=', user.id)
    .execute()
    .catch(() => undefined) // a full disk keeps nobody out for the sake of a note
  return user.id
}
