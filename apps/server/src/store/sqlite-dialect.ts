import {
  CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  type SqliteDatabase,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
} from 'kysely'
import { whenUnlocked } from './file-lock.ts'
import type { SqliteTurns } from './sqlite-turns.ts'

/** Takes the lock of the file at once: a transaction that has read first could not get it after another program has written. */
const beginWriting = CompiledQuery.raw('begin immediate')

/** A SQLite dialect for a connection that only writes: its transactions take the lock of the file at once. */
export class WritingDialect extends SqliteDialect {
  readonly #database: SqliteDatabase

  constructor(database: SqliteDatabase) {
    super({ database })
    this.#database = database
  }

  override createDriver(): SqliteDriver {
    return new WritingDriver({ database: this.#database })
  }
}

class WritingDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await whenUnlocked(() => connection.executeQuery(beginWriting))
  }
}

/** A SQLite dialect whose statements wait only for those that they must not meet. */
export class TurnsDialect extends SqliteDialect {
  readonly #database: SqliteDatabase
  readonly #turns: SqliteTurns

  constructor(database: SqliteDatabase, turns: SqliteTurns) {
    super({ database })
    this.#database = database
    this.#turns = turns
  }

  override createDriver(): SqliteDriver {
    return new TurnsDriver(this.#database, this.#turns)
  }

  override createAdapter(): SqliteAdapter {
    return new TurnsAdapter()
  }
}

/** Kysely would let one caller at a time use the connection, also while that caller waits. */
class TurnsAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

class TurnsDriver extends SqliteDriver {
  readonly #turns: SqliteTurns

  constructor(database: SqliteDatabase, turns: SqliteTurns) {
    super({ database })
    this.#turns = turns
  }

  override async acquireConnection(): Promise<TurnsConnection> {
    return new TurnsConnection(await super.acquireConnection(), this.#turns)
  }

  override beginTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as TurnsConnection).begin()
  }

  override async releaseConnection(connection?: DatabaseConnection): Promise<void> {
    ;(connection as TurnsConnection | undefined)?.endTurn?.()
  }
}

/** Text with `with` may write; everything that is not known to read waits for its turn to write. */
const isRead = (text: string): boolean =>
  /^\s*select\b/i.test(text) || (/^\s*with\b/i.test(text) && !/\b(?:insert|update|delete)\b/i.test(text))

/** The shared connection, for one caller. */
class TurnsConnection implements DatabaseConnection {
  /** Set in a transaction. */
  endTurn: (() => void) | undefined
  readonly #shared: DatabaseConnection
  readonly #turns: SqliteTurns

  constructor(shared: DatabaseConnection, turns: SqliteTurns) {
    this.#shared = shared
    this.#turns = turns
  }

  begin(): Promise<void> {
    return whenUnlocked(async () => {
      // Others read on between two attempts.
      const endTurn = await this.#turns.begin('transaction')
      try {
        await this.#shared.executeQuery(beginWriting)
      } catch (error) {
        endTurn()
        throw error
      }
      this.endTurn = endTurn
    })
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.endTurn) return this.#shared.executeQuery<R>(query)
    const reads = isRead(query.sql)
    // Reads, too, meet the lock of a process that repairs the log after a crash.
    return whenUnlocked(async () => {
      for (let wait = this.#turns.obstacle(reads); wait; wait = this.#turns.obstacle(reads)) await wait
      return this.#shared.executeQuery<R>(query)
    })
  }

  // eslint-disable-next-line require-yield
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('The store does not stream rows')
  }
}
