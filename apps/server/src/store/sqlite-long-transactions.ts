import type BetterSqlite3 from 'better-sqlite3'
import { Kysely } from 'kysely'
import { statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { RunTransaction } from './long-transaction.ts'
import { WritingDialect } from './sqlite-dialect.ts'
import type { SqliteTurns } from './sqlite-turns.ts'
import type { CachingConnection } from './statement-cache.ts'
import type { Tables } from './tables.ts'

interface OpenFile {
  path: string
  /** The connection of everyone else. */
  shared: BetterSqlite3.Database
  turns: SqliteTurns
  /** A log beyond this size is copied into the file by a thread. */
  largeLogBytes: number
  /** Opens another connection to the file. */
  connect(): BetterSqlite3.Database
  withCache(database: BetterSqlite3.Database): CachingConnection
  /** Called after a transaction, before others write again. */
  onEnd(): void
}

/** Long transactions on a SQLite file, each on a connection of its own, so that others read on. */
export class SqliteLongTransactions {
  readonly #file: OpenFile
  #checkpoint: Promise<void> = Promise.resolve()
  #checkpoints = 0
  /** Pages of the log after which a commit copies it, while threads do that. */
  #usualPages = 0

  constructor(file: OpenFile) {
    this.#file = file
  }

  readonly run: RunTransaction = async (work, plugins) => {
    const { path, turns, largeLogBytes, onEnd } = this.#file
    const endTurn = await turns.begin('long')
    try {
      return await this.#runAlone(work, plugins)
    } finally {
      // Everyone who writes waits for the end of the turn, so nothing may prevent it.
      try {
        onEnd()
        if (sizeOf(`${path}-wal`) > largeLogBytes) this.#startCheckpoint()
      } finally {
        endTurn()
      }
    }
  }

  #runAlone: RunTransaction = async (work, plugins) => {
    const { path, shared, connect, withCache } = this.#file
    const connection = connect()
    connection.pragma('wal_autocheckpoint = 0')
    connection.pragma('cache_size = -4096')
    connection.pragma(`max_page_count = ${String(shared.pragma('max_page_count', { simple: true }))}`)
    const own = new Kysely<Tables>({ dialect: new WritingDialect(withCache(connection)), plugins: [...plugins] })
    const sync = new LogSync(`${path}-wal`)
    try {
      return await own.transaction().execute(async (trx) => {
        const result = await work(trx)
        await sync.finish()
        return result
      })
    } finally {
      await sync.finish()
      await own.destroy()
    }
  }

  /** Waits for work on the file in other threads. */
  async close(): Promise<void> {
    await this.#checkpoint
  }

  #startCheckpoint(): void {
    const { path, shared } = this.#file
    if (!shared.open) return
    if (this.#checkpoints++ === 0) {
      this.#usualPages = Number(shared.pragma('wal_autocheckpoint', { simple: true }))
      shared.pragma('wal_autocheckpoint = 0')
    }
    this.#checkpoint = this.#checkpoint.then(async () => {
      await runCheckpoint(path)
      if (--this.#checkpoints === 0 && shared.open) shared.pragma(`wal_autocheckpoint = ${this.#usualPages}`)
    })
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

const checkpointCode = `
  const { workerData } = require('node:worker_threads')
  const Database = require(workerData.module)
  const database = new Database(workerData.path, { timeout: 5000, fileMustExist: true })
  database.pragma('wal_checkpoint(PASSIVE)')
  database.close()`

/** Copies the log into the file, in a thread: that blocks for seconds. What fails is left to the next commit. */
function runCheckpoint(path: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const module = createRequire(import.meta.url).resolve('better-sqlite3')
  const worker = new Worker(checkpointCode, { eval: true, workerData: { module, path } })
  worker.once('error', () => undefined)
  worker.once('exit', () => resolve())
  return promise
}

const syncIntervalMs = 200

/** Brings the log to the disk while it grows, in a thread, so that little is left when the commit waits for that. */
class LogSync {
  readonly #path: string
  readonly #timer: NodeJS.Timeout
  #file: FileHandle | undefined
  #running: Promise<void> = Promise.resolve()
  #isRunning = false

  constructor(path: string) {
    this.#path = path
    this.#timer = setInterval(() => {
      if (!this.#isRunning) this.#running = this.#sync()
    }, syncIntervalMs)
  }

  async #sync(): Promise<void> {
    this.#isRunning = true
    try {
      this.#file ??= await open(this.#path, 'r+')
      await this.#file.datasync()
    } catch {
      // The commit reports what is wrong with the file.
    } finally {
      this.#isRunning = false
    }
  }

  async finish(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
    if (this.#file) await this.#sync()
    await this.#file?.close()
    this.#file = undefined
  }
}
