import type { Kysely } from 'kysely'
import type { Keys } from './keys.ts'
import type { Tables } from './tables.ts'

const firstSecret = (db: Kysely<Tables>) =>
  db.selectFrom('database').select(['secrets', 'uuid']).where('secrets', 'is not', null).limit(1).executeTakeFirst()

/** Returns whether a connection of the store has a password or another secret. */
export const holdsSecrets = async (db: Kysely<Tables>): Promise<boolean> => (await firstSecret(db)) !== undefined

/** Returns whether the keys belong to the store. */
export async function canDecryptSecrets(db: Kysely<Tables>, keys: Pick<Keys, 'decrypt'>): Promise<boolean> {
  const secret = await firstSecret(db)
  try {
    if (secret?.secrets) keys.decrypt(secret.secrets, secret.uuid)
    return true
  } catch {
    return false
  }
}
