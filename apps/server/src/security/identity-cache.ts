import { AppError, message } from '@parquetry/model'
import type { Kysely } from 'kysely'
import { countIdentityChanges, isTracked } from '../store/changes.ts'
import type { Tables } from '../store/tables.ts'

/** Without reports of changes, those by another server on the same store are noticed within this time. */
const untrackedMs = 1000
const unusedMs = 15 * 60_000
const maxEntries = 2000

interface Entry {
  rights: number
  sessions: number
  /** Until when it is used without reports of changes. */
  until: number
  /** Someone was found: with reports, it is used until a change. */
  isFound: boolean
  usedAt: number
  found: Promise<unknown>
}

/**
 * Keeps who is behind sessions and API keys until users, roles, rules or sessions change. While changes by other servers could be
 * missed, for one second.
 */
export class IdentityCache {
  readonly #db: Kysely<Tables>
  readonly #steadyMs: () => number
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry>()

  constructor({ db, steadyMs }: { db: Kysely<Tables>; steadyMs(): number }) {
    this.#db = db
    this.#steadyMs = steadyMs
  }

  /**
   * @param load  receives what was found before if only sessions have changed since. An undefined result is kept as briefly as
   * without reports.
   * @throws AppError `unavailable` when the store does not respond
   */
  read<T>(key: string, load: (previous: T | undefined) => Promise<T | undefined>): Promise<T | undefined> {
    const now = this.#steadyMs()
    const { rights, sessions } = countIdentityChanges(this.#db)
    const known = this.#entries.get(key)
    this.#entries.delete(key)
    this.#removeUnused(now)
    const isFresh = known !== undefined && (known.until > now || (known.isFound && isTracked(this.#db)))
    const hasRights = isFresh && known.rights === rights
    if (hasRights && known.sessions === sessions) {
      this.#entries.set(key, Object.assign(known, { usedAt: now }))
      return known.found as Promise<T | undefined>
    }
    const previous = hasRights
      ? (known.found as Promise<T | undefined>).catch(() => undefined)
      : Promise.resolve(undefined)
    const found = previous.then(load).catch(toUnavailable)
    const entry: Entry = { rights, sessions, until: now + untrackedMs, isFound: false, usedAt: now, found }
    this.#entries.set(key, entry)
    found.then(
      (value) => {
        entry.isFound = value !== undefined
      },
      () => this.#entries.get(key) === entry && this.#entries.delete(key),
    )
    return found
  }

  /** Drops one entry, or all. */
  forget(key?: string): void {
    if (key === undefined) this.#entries.clear()
    else this.#entries.delete(key)
  }

  #removeUnused(now: number): void {
    for (const [key, { usedAt }] of this.#entries) {
      if (usedAt > now - unusedMs && this.#entries.size < maxEntries) break
      this.#entries.delete(key)
    }
  }
}

function toUnavailable(cause: unknown): never {
  if (cause instanceof AppError) throw cause
  throw new AppError('unavailable', {
    message: message('errors.store.notResponding', 'The metadata store is not responding. Try again.'),
    cause,
  })
}
