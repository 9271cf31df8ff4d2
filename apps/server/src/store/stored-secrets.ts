import type { Kysely } from 'kysely'
import type { Keys } from './keys.ts'
import type { Tables } from './tables.ts'

/** A secret of the store and the uuid that it is bound to. */
async function firstSecret(db: Kysely<Tables>): Promise<{ secret: string; uuid: string } | undefined> {
  const database = await db
    .selectFrom('database')
    .select(['secrets as secret', 'uuid'])
    .where('secrets', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (database) return { secret: database.secret ?? '', uuid: database.uuid }
  return db
    .selectFrom('second_factor')
    .innerJoin('user', 'user.id', 'user_id')
    .select(['secret', 'uuid'])
    .limit(1)
    .executeTakeFirst()
}

/** Returns whether the store has a password of a connection or another secret. */
export const holdsSecrets = async (db: Kysely<Tables>): Promise<boolean> => (await firstSecret(db)) !== undefined

/** Returns whether the keys belong to the store. */
export async function canDecryptSecrets(db: Kysely<Tables>, keys: Pick<Keys, 'decrypt'>): Promise<boolean> {
  const secret = await firstSecret(db)
  try {
    if (secret) keys.decrypt(secret.secret, secret.uuid)
    return true
  } catch {
    return false
  }
}
