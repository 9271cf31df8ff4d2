import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'
import { formatStoredTime } from './time.ts'

/** Cookie sessions end when they are not used for this time. */
export const sessionIdleMs = 12 * 3_600_000

const keyPrefix = 'key '

/** Name of an API key where sessions are listed by their hashes. */
export const sessionOfKey = (uuid: string): string => `${keyPrefix}${uuid}`

/** Returns those of some sessions and API keys that have not ended. */
export async function findLiveSessions(
  db: Kysely<Tables>,
  sessions: ReadonlySet<string>,
  now: Date,
): Promise<ReadonlySet<string>> {
  const [keys, hashes] = [[...sessions].filter(isKey), [...sessions].filter((session) => !isKey(session))]
  const time = formatStoredTime(now)
  const oldest = formatStoredTime(new Date(now.getTime() - sessionIdleMs))
  const found =
    hashes.length === 0
      ? []
      : await db
          .selectFrom('session')
          .innerJoin('user', 'user.id', 'session.user_id')
          .select('session.id')
          .where('session.id', 'in', hashes)
          .where('active', '=', 1)
          .where('expires_at', '>', time)
          .where((is) => is.or([is('kind', '=', 'token'), is('seen_at', '>=', oldest)]))
          .execute()
  const foundKeys =
    keys.length === 0
      ? []
      : await db
          .selectFrom('api_key')
          .innerJoin('user', 'user.id', 'api_key.user_id')
          .select('api_key.uuid')
          .where(
            'api_key.uuid',
            'in',
            keys.map((key) => key.slice(keyPrefix.length)),
          )
          .where('active', '=', 1)
          .where('revoked_on', 'is', null)
          .where((is) => is.or([is('expires_on', 'is', null), is('expires_on', '>', time)]))
          .execute()
  return new Set([...found.map(({ id }) => id), ...foundKeys.map(({ uuid }) => sessionOfKey(uuid))])
}

const isKey = (session: string): boolean => session.startsWith(keyPrefix)
