import { loadPrincipal } from '@parquetry/server/access/load-principal'
import type { Principal } from '@parquetry/server/access/principal'
import { findUser } from '@parquetry/server/security/users'
import { StartError } from '@parquetry/server/settings/start-error'
import type { Store } from '@parquetry/server/store/open'

/**
 * Finds the administrator who owns what a command creates.
 * @param username  the first active one when omitted
 * @throws StartError with exit code 2 when there is none
 */
export async function findAdmin({ db }: Store, username: string | undefined): Promise<Principal> {
  if (username !== undefined) {
    const admin = await loadAdmin(db, username)
    if (admin) return admin
    throw new StartError('setting', `${username} is not an active administrator. Name one with --user.`)
  }
  const users = await db.selectFrom('user').select('username').where('active', '=', 1).orderBy('id').execute()
  for (const user of users) {
    const admin = await loadAdmin(db, user.username)
    if (admin) return admin
  }
  throw new StartError('setting', 'There is no active administrator. Add one: parquetry user add NAME --role Admin')
}

async function loadAdmin(db: Store['db'], username: string): Promise<Principal | undefined> {
  const user = await findUser(db, username)
  const principal = user?.active === 1 ? await loadPrincipal(db, user) : undefined
  return principal?.isAdmin ? principal : undefined
}
