import { AppError, type SqllabPermalink } from '@parquetry/model'
import type { ReadContext } from '../http/resource.ts'
import { can } from '../access/access.ts'
import { type KeyValueStore, readValue, shortKey, writeValue } from '../store/key-values.ts'

const store = ({ db, now, linkQuotaMb }: ReadContext): KeyValueStore => ({
  db,
  resource: 'sqllab_permalink',
  days: null,
  now,
  quotaMb: linkQuotaMb,
})

const seesDatabase = (context: ReadContext, id: number): Promise<boolean> =>
  can(context, ['can_read', 'Database'], { kind: 'database', id })

/**
 * Stores an editor state forever under a short key; the same state of the same user has the same key. @throws AppError
 * `forbidden`
 */
export async function createSqllabPermalink(context: ReadContext, state: SqllabPermalink): Promise<string> {
  if (!(await seesDatabase(context, state.dbId))) throw new AppError('forbidden')
  const value = JSON.stringify(state)
  const key = shortKey('sqllab', context.principal.id, value)
  await writeValue(store(context), key, { value, user_id: context.principal.id })
  return key
}

/** @throws AppError `not_found` for an unknown key, or a database that the reader cannot see */
export async function readSqllabPermalink(context: ReadContext, key: string): Promise<SqllabPermalink> {
  const stored = await readValue(store(context), key)
  const state = stored && (JSON.parse(stored.value) as SqllabPermalink)
  if (!state || !(await seesDatabase(context, state.dbId))) throw new AppError('not_found')
  return state
}
