import type { Deps } from '../deps.ts'
import { timeText } from '../store/time.ts'
import { isPassword } from './passwords.ts'
import type { Throttle } from './throttle.ts'
import { findUser } from './users.ts'

/**
 * Checks name and password.
 * @returns the user's id, or undefined: whether the name or the password is wrong stays unsaid, and takes the same time
 * @throws AppError `too_many`
 */
export async function checkPassword(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  throttle: Throttle,
  { username, password, address }: { username: string; password: string; address: string },
): Promise<number | undefined> {
  throttle.check(username, address)
  const user = await findUser(db, username)
  const fits = await isPassword(user?.active === 1 ? user.password : null, password)
  if (!user || !fits) {
    throttle.failed(username, address)
    return undefined
  }
  throttle.succeeded(username, address)
  await db
    .updateTable('user')
    .set({ last_login: timeText(now()), login_count: user.login_count + 1 })
    .where('id', '=', user.id)
    .execute()
  return user.id
}
