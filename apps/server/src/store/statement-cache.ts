import type BetterSqlite3 from 'better-sqlite3'
import { LRUCache } from 'lru-cache'

const maxStatements = 500
/** Longer ones are of lists and batches, each of another length: 500 of those would be tens of megabytes. */
const maxStatementLength = 8192
const changesData = /^\s*(select|insert|update|delete|with)\b/i

/** The log of actions is written with every call and decides nothing. */
const onlyReads = /^\s*(select\b|insert into "log")/i

/** What is fine as well when nothing may be written. */
const writesNothing = /^\s*(select|rollback)\b/i

export interface CachingConnection extends Pick<BetterSqlite3.Database, 'prepare' | 'close'> {
  /** Statements asked for so far that may have changed what others read. */
  changes(): number
}

/**
 * The connection that Kysely is given: statements are prepared once, since preparing one takes several times what running it
 * does. A change of the tables, as migrations make them, forgets them all.
 * @param beforeWriting  throws when nothing may be written
 */
export function withStatementCache(
  database: BetterSqlite3.Database,
  beforeWriting: () => void = () => {},
): CachingConnection {
  let changes = 0
  const kept = new LRUCache<string, BetterSqlite3.Statement>({ max: maxStatements })
  const prepare = (text: string): BetterSqlite3.Statement => {
    if (!writesNothing.test(text)) beforeWriting()
    if (!onlyReads.test(text)) changes += 1
    const known = kept.get(text)
    if (known && !known.busy) return known
    const made = database.prepare(text)
    if (changesData.test(text)) {
      if (text.length <= maxStatementLength) kept.set(text, made)
    } else if (!/^\s*(begin|commit|rollback|savepoint|release)\b/i.test(text)) kept.clear()
    return made
  }
  return {
    prepare: prepare as BetterSqlite3.Database['prepare'],
    close: () => database.close(),
    changes: () => changes,
  }
}
