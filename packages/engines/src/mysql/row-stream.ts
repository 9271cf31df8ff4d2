import type { Connection, FieldPacket } from 'mysql2'

/** A value as mysql2 returns it with our options: big integers and decimals as digits, times as text, binary values as bytes. */
export type MysqlValue = string | number | Buffer | object | null
export type MysqlRow = readonly MysqlValue[]

/** A column as the server describes it. */
export type MysqlField = Pick<FieldPacket, 'name'> & {
  columnType: number
  columnLength: number
  characterSet: number
  decimals: number
  flags: number
  extendedFormat?: string
}

interface Command {
  on(event: 'fields', listener: (fields: MysqlField[] | undefined) => void): void
  on(event: 'result', listener: (row: MysqlRow, result: number) => void): void
  on(event: 'error', listener: (error: Error) => void): void
  on(event: 'end', listener: () => void): void
}

/**
 * Rows of one statement, read on demand: the connection is paused while enough are buffered. Of several results (of a procedure)
 * the first with columns counts.
 */
export class MysqlRowStream {
  #client: Connection
  #most: number
  #waiting: MysqlRow[] = []
  #fields: MysqlField[] | null = null
  #error: Error | null = null
  #hasEnded = false
  #isDropped = false
  #listeners = new Set<() => void>()

  /** @param maxBufferedRows maximum number of buffered rows */
  constructor(client: Connection, text: string, values: readonly unknown[], maxBufferedRows: number) {
    this.#client = client
    this.#most = maxBufferedRows
    const command = this.#start(text, values)
    let first = -1
    let results = -1
    command.on('fields', (fields) => {
      results++
      const named = fields?.map((field) => ({ ...field }))
      // The client rejects names such as `__proto__`, and with them the connection, although our rows are arrays.
      for (const field of fields ?? []) field.name = ''
      if (!named || this.#fields) return
      this.#fields = named
      first = results
    })
    command.on('result', (row, result) => {
      if (!this.#isDropped && Array.isArray(row) && (result ?? 0) === first) this.#push(row)
    })
    command.on('error', (error) => this.#fail(error))
    command.on('end', () => this.#end())
    client.once('error', this.#fail)
  }

  /** Known once rows or the end have arrived. */
  get fields(): readonly MysqlField[] {
    return this.#fields ?? []
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Returns at most `rows` rows; none at the end. @throws the error of the client */
  async next(rows: number): Promise<MysqlRow[]> {
    while (this.#waiting.length < rows && !this.#hasEnded) {
      await this.#more()
    }
    if (this.#error) throw this.#error
    return this.#waiting.splice(0, rows)
  }

  /** Discards the remaining rows. @returns when the server has ended the statement */
  async drop(): Promise<void> {
    this.#isDropped = true
    this.#waiting = []
    while (!this.#hasEnded) await this.#more()
  }

  /**
   * Values are bound by the server. Prepared statements are closed after they have run, because a connection outlives its user.
   */
  #start(text: string, values: readonly unknown[]): Command {
    if (values.length === 0) return this.#client.query({ sql: text, values: undefined }) as unknown as Command
    const options = { sql: text, values: [...values] as string[] }
    const command = this.#client.execute(options) as unknown as Command
    command.on('end', () => this.#client.unprepare(text))
    return command
  }

  /** Waiting packets are read before `resume` returns, so the listener must be added first. */
  async #more(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#listeners.add(resolve)
    this.#client.resume()
    await promise
  }

  #push(row: MysqlRow): void {
    this.#waiting.push(row)
    if (this.#waiting.length < this.#most) return
    this.#client.pause()
    this.#wake()
  }

  #fail = (error: Error): void => {
    this.#error ??= error
    this.#end()
  }

  #end(): void {
    this.#hasEnded = true
    this.#client.off('error', this.#fail)
    this.#wake()
  }

  #wake(): void {
    for (const listener of this.#listeners) listener()
    this.#listeners.clear()
  }
}
