import { statSync } from 'node:fs'
import type { Limits } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import { lex } from '@parquetry/model/lex'
import type { Frame } from '@parquetry/frame'
import Database, { type Database as Client } from 'better-sqlite3'
import {
  createSqliteColumnReader,
  type SqliteField,
  type SqliteColumnReader,
  type SqliteRow,
  type SqliteValue,
} from './columns.ts'

/** A file as the server has checked it: a different file under the same name is not opened. */
export interface CheckedFile {
  path: string
  dev: number
  ino: number
}

/** Memory limit of SQLite itself, for sorting and grouping; a query that exceeds it fails. */
const heapBytes = 512 << 20

const reading = new Set(['SELECT', 'WITH', 'VALUES', 'EXPLAIN'])

/** One file, opened for reading. Its calls block the process, which exists only for that. */
export class SqliteReader {
  #db: Client
  #rows: Iterator<SqliteRow> | null = null
  #columns: SqliteColumnReader[] = []

  constructor({ path, dev, ino }: CheckedFile) {
    const isTheFile = () => {
      const found = statSync(path)
      return found.isFile() && found.dev === dev && found.ino === ino
    }
    if (!isTheFile()) throw fileReplaced()
    this.#db = new Database(path, { readonly: true, fileMustExist: true })
    if (!isTheFile()) throw fileReplaced()
    for (const pragma of ['query_only = 1', 'trusted_schema = 0', `hard_heap_limit = ${heapBytes}`, 'mmap_size = 0'])
      this.#db.pragma(pragma)
    this.#db.defaultSafeIntegers(true)
  }

  /** Starts a statement, which `next` reads. Statements that write, open other files or change settings are rejected. */
  begin(text: string, values: readonly unknown[], { cellBytes }: Pick<Limits, 'cellBytes'>): void {
    this.drop()
    const statement = this.#prepare(text)
    const fields = statement.columns() as SqliteField[]
    this.#columns = fields.map((field, index) => createSqliteColumnReader(field, index, cellBytes))
    this.#rows = statement.raw(true).iterate(...values.map(toSqliteValue)) as IterableIterator<SqliteRow>
  }

  /** Returns at most `rows` rows; fewer at the end. */
  next(rows: number): Frame {
    const found: SqliteRow[] = []
    while (this.#rows && found.length < rows) {
      const { done, value } = this.#rows.next()
      if (done) this.#rows = null
      else found.push(value)
    }
    return { rows: found.length, columns: this.#columns.map((column) => column(found)) }
  }

  drop(): void {
    this.#rows?.return?.()
    this.#rows = null
  }

  /** Returns the rows of a generated query about the file. */
  ask(text: string, ...values: unknown[]): Record<string, unknown>[] {
    return this.#db
      .prepare(text)
      .safeIntegers(false)
      .all(...values) as Record<string, unknown>[]
  }

  #prepare(text: string) {
    const first = lex(text, 'sqlite').find(({ kind }) => kind !== 'comment' && kind !== 'open')
    const statement = this.#db.prepare(text)
    if (first?.kind !== 'word' || !reading.has(first.text) || !statement.readonly || !statement.reader)
      throw new AppError('dml_not_allowed')
    return statement
  }
}

const fileReplaced = () =>
  new AppError('connection_database', {
    message: message(
      'errors.engines.fileReplaced',
      'The database file was replaced while it was being opened. Try again.',
    ),
  })

/** SQLite has no booleans, and treats a JavaScript number as a real. */
function toSqliteValue(value: unknown): SqliteValue {
  if (typeof value === 'boolean') return value ? 1n : 0n
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : (value as SqliteValue)
}
