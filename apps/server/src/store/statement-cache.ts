import type BetterSqlite3 from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import { addChanges, type ChangeCounts, startCounts } from './changes.ts'
import { FileHealth, watchStatement } from './file-health.ts'
import { changeKinds, changesOf } from './table-changes.ts'

const maxStatements = 500
/** Longer statements have lists and batches of varying length: 500 of those would be tens of megabytes. */
const maxStatementLength = 8192
const changesData = /^\s*(select|insert|update|delete|with)\b/i

const endsTransaction = /^\s*rollback\b(?!\s+to\b)/i

/** Statements that are allowed even when nothing may be written. */
const writesNothing = /^\s*(select|rollback)\b/i

export interface CachingConnection extends Pick<BetterSqlite3.Database, 'prepare' | 'close'> {
  /** Numbers of changes so far by kind: those by statements of this connection, and all commits by others. */
  countChanges(): ChangeCounts
  /** Counts a change of everything, after a commit on another connection of this process. */
  addChanges(): void
}

/**
 * The SQLite connection for Kysely: it prepares each statement once, since preparing takes several times as long as running it.
 * Changes of the schema, as in migrations, clear the cache.
 * @param beforeWriting  throws when nothing may be written
 * @param health  learns of failures of the file
 */
export function withStatementCache(
  database: BetterSqlite3.Database,
  beforeWriting: () => void = () => {},
  health = new FileHealth(database),
): CachingConnection {
  const counts = startCounts()
  const versionStatement = database.prepare('pragma data_version').pluck()
  let version = 0
  let isCurrent = false
  /**
   * Increases with commits of other connections. It is read once per turn of the event loop, since that costs as much as a query: a
   * call that another process made possible arrives in a later turn.
   */
  const readVersion = (): number => {
    if (isCurrent) return version
    isCurrent = true
    setImmediate(() => (isCurrent = false))
    try {
      version = versionStatement.get() as number
    } catch {
      // a file that cannot be read now fails the statement that follows
    }
    return version
  }
  const cache = new LRUCache<string, BetterSqlite3.Statement>({ max: maxStatements })
  const prepare = (text: string): BetterSqlite3.Statement => {
    if (!writesNothing.test(text)) beforeWriting()
    // Counted before the statement runs: until its transaction ends, no other one can read.
    addChanges(counts, changesOf(text))
    const cached = cache.get(text)
    if (cached && !cached.busy) return cached
    // SQLite ends a transaction itself when a write fails. Another rollback would fail and hide the reason.
    if (endsTransaction.test(text) && !database.inTransaction) return database.prepare('select 1 where false')
    const statement = watchStatement(
      health.run(() => database.prepare(text)),
      health,
    )
    if (changesData.test(text)) {
      if (text.length <= maxStatementLength) cache.set(text, statement)
    } else if (!/^\s*(begin|commit|rollback|savepoint|release)\b/i.test(text)) cache.clear()
    return statement
  }
  return {
    prepare: prepare as BetterSqlite3.Database['prepare'],
    close: () => database.close(),
    addChanges: () => addChanges(counts, changeKinds),
    countChanges: () => {
      const others = readVersion()
      const { content, rights, sessions } = counts
      return { content: content + others, rights: rights + others, sessions: sessions + others }
    },
  }
}
