import type BetterSqlite3 from 'better-sqlite3'
import type { AppError } from '@parquetry/model'
import { asFileFailure, isLocked } from './failure.ts'

/** Remembers whether a SQLite file failed, so that health checks report it even if they only read. */
export class FileHealth {
  readonly #database: BetterSqlite3.Database
  readonly #isWritten: () => boolean
  #failure: AppError | null = null

  /** @param isWritten  tests if another connection of this process is writing, for which a write would wait */
  constructor(database: BetterSqlite3.Database, isWritten: () => boolean = () => false) {
    this.#database = database
    this.#isWritten = isWritten
  }

  /** @throws AppError for a failure of the file, otherwise what the work throws */
  run<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      const failure = asFileFailure(error)
      // Reads continue on a full disk.
      if (failure && failure.code !== 'disk_full') this.#failure = failure
      throw failure ?? error
    }
  }

  /** Writes again if the last attempt failed. @throws AppError `unavailable` while the file cannot be written or is damaged */
  recheck(): void {
    if (!this.#failure) return
    if (!this.#database.inTransaction && !this.#isWritten()) {
      const version = this.#database.pragma('user_version', { simple: true }) as number
      try {
        this.run(() => this.#database.pragma(`user_version = ${version}`))
      } catch (error) {
        // Another program can write, so this one is asked again later.
        if (isLocked(error)) return
        throw error
      }
    }
    this.#failure = null
  }
}

/** A statement whose failures of the file are reported. */
export function watchStatement(statement: BetterSqlite3.Statement, health: FileHealth): BetterSqlite3.Statement {
  const { all, run, iterate } = statement
  return Object.assign(statement, {
    all: (...values: unknown[]) => health.run(() => all.apply(statement, values)),
    run: (...values: unknown[]) => health.run(() => run.apply(statement, values)),
    iterate: (...values: unknown[]) => health.run(() => iterate.apply(statement, values)),
  })
}
