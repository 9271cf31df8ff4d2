import { mkdirSync, realpathSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import bind, { type Connection, type Database } from '@duckdb/node-bindings'
import type { DescribeRequest, DescribeResult, EmbeddedTable } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import type { Instance, InstanceLimits, Session } from '../shared/driver.ts'
import { isMainSchema } from '../shared/main-schema.ts'
import { bytesAt } from './cells.ts'
import { duckdbError, isDamagedFile, isInaccessibleFile, tableDamaged, tableInaccessible } from './errors.ts'
import { resolveTableFile, quoteLiteral, readFileSql, quarantineFile } from './files.ts'
import { DuckdbSession, quoteIdentifier, streamedFromRows } from './session.ts'

/** Files attached for a table; detached when every session up to `lastSession` has ended. */
interface RetiredAttachment {
  attachment: string
  lastSession: number
}

/** A table whose file could not be opened; `error` is the error for users who query it. */
interface BrokenTable {
  table: string
  message: string
  error: AppError
}

/**
 * A locked DuckDB over read-only files: `:memory:` with each file attached as `_<table>_<version>` and one view per table in
 * `main`. What the lock leaves open (the instance's own catalog, `USE`, `COPY` into the folder) is blocked only by the guard, so
 * only guarded text may reach a session.
 */
export class DuckdbInstance implements Instance {
  readonly streamedFromRows = streamedFromRows
  #database: Database
  #admin: Connection
  #folder: string
  #tables = new Map<string, { table: EmbeddedTable; attachment: string | null }>()
  #wanted: EmbeddedTable[] = []
  #broken: BrokenTable[] = []
  #sessions = new Set<number>()
  #lastSession = 0
  #retired: RetiredAttachment[] = []
  #change: Promise<void> = Promise.resolve()
  /** Connection of the next session. Connecting takes about as long as a short statement, so it is done after a session ends. */
  #spare: Connection | null = null
  #connecting: Promise<void> | null = null
  #isClosed = false

  private constructor(database: Database, admin: Connection, folder: string) {
    this.#database = database
    this.#admin = admin
    this.#folder = folder
  }

  static async open(folder: string, tables: EmbeddedTable[], limits: InstanceLimits): Promise<DuckdbInstance> {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const database = await bind.open(':memory:')
    const admin = await bind.connect(database)
    const instance = new DuckdbInstance(database, admin, folder)
    const ownFiles = tables.filter(({ file }) => isAbsolute(file)).flatMap(realFile)
    for (const setting of [
      `threads = ${limits.threads}`,
      `memory_limit = '${limits.memoryLimitMb}MiB'`,
      `temp_directory = ${quoteLiteral(limits.spillFolder)}`,
      `autoinstall_known_extensions = false`,
      `autoload_known_extensions = false`,
      `allow_community_extensions = false`,
      `TimeZone = 'UTC'`,
      `errors_as_json = true`,
      `allowed_directories = [${quoteLiteral(realpathSync(folder))}]`,
      `allowed_paths = [${ownFiles.map(quoteLiteral).join(', ')}]`,
      `enable_external_access = false`,
    ])
      await instance.#do(`SET GLOBAL ${setting}`)
    await instance.setTables(tables)
    await instance.#do(`SET GLOBAL allowed_configs = ['memory_limit']`)
    await instance.#do('SET GLOBAL lock_configuration = true')
    return instance
  }

  views(): readonly string[] {
    return [...this.#tables.values()].map(({ table }) => table.name)
  }

  broken(): readonly { table: string; message: string }[] {
    return this.#broken.map(({ table, message }) => ({ table, message }))
  }

  async reopenTables(names: readonly string[]): Promise<void> {
    if (!this.#damaged(names)) return
    await this.setTables(this.#wanted)
    const broken = this.#damaged(names)
    if (broken) throw broken.error
  }

  /** Returns the first of these tables that is broken and has no view. */
  #damaged(names: readonly string[]): BrokenTable | undefined {
    const lower = names.map((name) => name.toLowerCase())
    return this.#broken.find(({ table }) => !this.#tables.has(table) && lower.includes(table.toLowerCase()))
  }

  async session(): Promise<Session> {
    const spare = this.#spare
    this.#spare = null
    const connection = spare ?? (await bind.connect(this.#database))
    const id = ++this.#lastSession
    this.#sessions.add(id)
    const describeCatalog = (request: DescribeRequest) => this.#describe(request)
    return new DuckdbSession(connection, describeCatalog, () => {
      this.#sessions.delete(id)
      void this.#letGo()
      this.#ensureSpare()
    })
  }

  #ensureSpare(): void {
    if (this.#spare || this.#connecting || this.#isClosed) return
    this.#connecting = bind
      .connect(this.#database)
      .then(
        (connection) => void (this.#spare = connection),
        () => {},
      )
      .then(() => {
        this.#connecting = null
        if (this.#isClosed) this.#disconnect()
      })
  }

  /** Changes run sequentially: each is compared with the state that the previous one left. */
  setTables(tables: EmbeddedTable[]): Promise<void> {
    this.#change = this.#change.catch(() => {}).then(() => this.#replace(tables))
    return this.#change
  }

  async setMemoryLimit(memoryLimitMb: number): Promise<void> {
    await this.#do(`SET GLOBAL memory_limit = '${memoryLimitMb}MiB'`)
  }

  async parse(sql: string): Promise<string> {
    const prepared = await bind.prepare(
      this.#admin,
      'SELECT json_serialize_sql($1::VARCHAR, skip_null := true, skip_empty := true, skip_default := true)',
    )
    bind.bind_varchar(prepared, 1, sql)
    return firstText(await bind.execute_prepared(prepared))
  }

  /** Runs a generated query that returns one JSON text. */
  async #json<T>(sql: string): Promise<T> {
    return JSON.parse(firstText(await bind.query(this.#admin, sql))) as T
  }

  /** Row count of each attached file, from the engine's metadata. */
  #rows(): Promise<Record<string, number>> {
    return this.#json(`SELECT coalesce(json_group_object(database_name, estimated_size), '{}')::VARCHAR
      FROM duckdb_tables() WHERE NOT internal`)
  }

  #functions(): Promise<string[]> {
    return this.#json(`SELECT to_json(list(DISTINCT function_name ORDER BY function_name))::VARCHAR
      FROM duckdb_functions()
      WHERE function_type IN ('scalar', 'aggregate', 'macro') AND regexp_full_match(function_name, '[a-z][a-z0-9_]*')`)
  }

  close(): void {
    this.#isClosed = true
    if (!this.#connecting) this.#disconnect()
  }

  /** The database must not end while a connection is being opened. */
  #disconnect(): void {
    if (this.#spare) bind.disconnect_sync(this.#spare)
    this.#spare = null
    bind.disconnect_sync(this.#admin)
    bind.close_sync(this.#database)
  }

  async #replace(tables: EmbeddedTable[]): Promise<void> {
    this.#wanted = tables
    const broken: BrokenTable[] = []
    const wanted = new Map(tables.map((table) => [table.name, table]))
    for (const [name, { attachment }] of this.#tables)
      if (!wanted.has(name)) {
        await this.#do(`DROP VIEW main.${quoteIdentifier(name)}`)
        this.#tables.delete(name)
        this.#retire(attachment)
      }
    for (const table of tables) {
      const before = this.#tables.get(table.name)
      if (before && isSame(before.table, table)) continue
      try {
        const attachment = await this.#show(table)
        this.#tables.set(table.name, { table, attachment })
        if (before) this.#retire(before.attachment)
      } catch (error) {
        broken.push(this.#notOpened(table, error))
      }
    }
    this.#broken = broken
    await this.#letGo()
  }

  /** Attaches the file and creates the view; returns the name of the attachment if the format needs one. */
  async #show(table: EmbeddedTable): Promise<string | null> {
    const path = resolveTableFile(this.#folder, table)
    const view = `CREATE OR REPLACE VIEW main.${quoteIdentifier(table.name)} AS SELECT * FROM`
    if (table.format !== 'duckdb') {
      await this.#do(`${view} ${readFileSql(path, table.format)}`)
      return null
    }
    const attachment = `_${table.name}_${table.version}`
    await this.#do(`ATTACH ${quoteLiteral(path)} AS ${quoteIdentifier(attachment)} (READ_ONLY)`)
    await this.#do(`${view} ${quoteIdentifier(attachment)}.main.${quoteIdentifier(table.table)}`).catch(
      async (error: unknown) => {
        await this.#do(`DETACH ${quoteIdentifier(attachment)}`)
        throw error
      },
    )
    return attachment
  }

  #notOpened(table: EmbeddedTable, error: unknown): BrokenTable {
    const { name } = table
    const message = error instanceof Error ? error.message : String(error)
    if (isInaccessibleFile(error)) return { table: name, message, error: tableInaccessible(name) }
    const quarantined =
      isDamagedFile(error) && table.format === 'duckdb' ? quarantineFile(this.#folder, table, new Date()) : null
    const note = quarantined === null ? '' : ` The damaged file was renamed to ${quarantined}.`
    return { table: name, message: `${message}${note}`, error: tableDamaged(name) }
  }

  #retire(attachment: string | null): void {
    if (attachment) this.#retired.push({ attachment, lastSession: this.#lastSession })
  }

  async #letGo(): Promise<void> {
    const oldest = Math.min(...this.#sessions)
    const ready = this.#retired.filter(({ lastSession }) => oldest > lastSession)
    this.#retired = this.#retired.filter((retired) => !ready.includes(retired))
    for (const { attachment } of ready) await this.#do(`DETACH ${quoteIdentifier(attachment)}`)
  }

  async #describe(request: DescribeRequest): Promise<DescribeResult | null> {
    if (request.what === 'ping') return { what: 'ping', version: `DuckDB ${bind.library_version()}` }
    if (request.what === 'schemas') return { what: 'schemas', schemas: ['main'] }
    if (request.what === 'functions') return { what: 'functions', names: await this.#functions() }
    if (request.what === 'tables') {
      if (!isMainSchema(request.schema)) return { what: 'tables', tables: [] }
      const rows = await this.#rows()
      // Tables with damaged files are listed: users who query them see the reason.
      const names = new Set([...this.#tables.keys(), ...this.#broken.map(({ table }) => table)])
      const tables = [...names].toSorted().map((name) => {
        const attachment = this.#tables.get(name)?.attachment ?? null
        const known = attachment === null ? undefined : rows[attachment]
        return { name, type: 'table' as const, ...(known !== undefined && { rows: known }) }
      })
      return { what: 'tables', tables }
    }
    if (request.what === 'table' && !isMainSchema(request.schema))
      throw new AppError('table_missing', {
        message: `Table with name ${request.table} does not exist in the schema ${request.schema}!`,
      })
    if (request.what === 'table') await this.reopenTables([request.table])
    if (request.what === 'table' && !this.views().some((name) => name.toLowerCase() === request.table.toLowerCase()))
      throw new AppError('table_missing', { message: `Table with name ${request.table} does not exist!` })
    return null
  }

  async #do(sql: string): Promise<void> {
    try {
      await bind.query(this.#admin, sql)
    } catch (error) {
      throw duckdbError(error, sql)
    }
  }
}

const realFile = ({ file }: EmbeddedTable): string[] => {
  try {
    return [realpathSync(file)]
  } catch {
    // The table is reported as broken when it is opened.
    return []
  }
}

const isSame = (a: EmbeddedTable, b: EmbeddedTable) =>
  a.file === b.file && a.version === b.version && a.format === b.format && a.table === b.table

function firstText(result: bind.Result): string {
  const chunk = bind.result_get_chunk(result, 0)
  const raw = bind.vector_get_data(bind.data_chunk_get_vector(chunk, 0), 16)
  const view = new DataView(raw.buffer, raw.byteOffset, 16)
  const bytes = bytesAt(raw, view, 0)
  return Buffer.from(bytes).toString('utf8')
}
