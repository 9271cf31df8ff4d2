import type { Socket } from 'node:net'
import type { Frame } from '@parquetry/frame'
import type {
  DescribeRequest,
  DescribeResult,
  EmbeddedTable,
  FileLoadResult,
  FilePreview,
  FileToLoad,
  Limits,
  Statement,
} from '@parquetry/model'

/** The vendor's side of a network engine: imported only by runners, through `@parquetry/engines/drivers`. */
export interface Driver {
  /** @throws AppError `connection_*` */
  open(settings: Record<string, unknown>, context: SessionContext): Promise<Session>
}

export interface SessionContext {
  schema: string | null
  catalog?: string | null
  /** Whose rights the server looks at, where it is another one than the account of the connection. */
  user?: string
  /** The engine's own limit for each statement, where it has one. */
  timeoutMs: number
  /** False: the session is read-only in the engine as well, whatever the text says. */
  allowDml: boolean
  /**
   * A connected socket to the server: at the address that was checked, or through the tunnel. A driver connects by nothing
   * else when it is there; the host of the settings stays the name that TLS checks. HTTP clients take `httpAgent`.
   * @throws AppError `connection_failed`
   */
  dial?: () => Promise<Socket>
  /** Tells ways that `dial` takes apart: a driver that keeps connections keeps them by this as well. */
  routeKey?: string
  /** PEM of the authorities that the server's certificate must come from; with it the connection is encrypted. */
  serverCert?: string | null
  /** The operator allows encrypted connections to servers that nobody vouches for; see `tlsChecks`. */
  unverifiedTls?: boolean
}

/** How a server is reached: connections of the same settings and way are as good as each other. */
export type ConnectionRoute = Pick<SessionContext, 'dial' | 'routeKey' | 'serverCert' | 'unverifiedTls'>

/** Most rows of a frame that a session gives. */
export const maxFrameRows = 2048

export interface TempTable {
  name: string
  statement: Statement
  /** Column -> type that it must have. */
  types: Readonly<Record<string, string>>
}

/** One connection. Statements of one job run in order on one session; a session is reset or closed before another user's job. */
export interface Session {
  /**
   * Runs one statement and gives frames of at most `frameRows` rows with one schema, stopping after `limits.rows + 1` rows.
   * A statement that gives no rows gives one frame of zero rows with its columns.
   * @throws AppError with the engine's message; `details: { line, column, offset }` where the engine tells the position:
   *   line and column from 1, offset as a JavaScript string index
   */
  run(statement: Statement, limits: Limits): AsyncIterable<Frame>
  /**
   * Makes a table of what a SELECT gives; more than `limits.rows + 1` rows need not be made. Nobody else can read it, it ends with the
   * session, and a statement that fails later takes nothing from it. Left out where an engine has no such tables.
   * @returns how many rows it has
   * @throws AppError `unsupported` when this database lets this account make none; `conflict` where the columns have other types
   */
  createTempTable?(table: TempTable, limits: Limits): Promise<number>
  /** Ends what runs now; safe to call at any time, also when nothing runs. */
  cancel(): Promise<void>
  describe(what: DescribeRequest): Promise<DescribeResult>
  close(): Promise<void>
}

/** The vendor's side of an embedded engine: one instance per runner, over files that are read and never written. */
export interface EmbeddedDriver {
  open(folder: string, tables: EmbeddedTable[], limits: InstanceLimits): Promise<Instance>
  /**
   * Writes the file of one table from a file that we trust, beside the old ones, and renames it when it is whole.
   * `select` reads from `source`, which stands for the file.
   */
  load(request: LoadRequest, limits: InstanceLimits): Promise<{ rows: number }>
  /** Writes the file of one table from a file that a user sent, values checked. */
  loadFile(request: LoadFileRequest, limits: InstanceLimits): Promise<FileLoadResult>
  /** Columns, types and first records of a Parquet file. */
  previewParquet(path: string, limits: InstanceLimits, signal: AbortSignal): Promise<FilePreview>
  /** Writes frames to a Parquet file; drafts lie in the spill folder meanwhile. */
  createParquetWriter(path: string, limits: InstanceLimits): Promise<FileWriter>
}

/** Takes frames of one schema and makes a file of them. */
export interface FileWriter {
  frame(frame: Frame): Promise<void>
  /** The file is whole when this settles. */
  end(): Promise<void>
  /** In any case, and last. */
  close(): Promise<void>
}

export interface InstanceLimits {
  memoryLimitMb: number
  threads: number
  /** Folder for what does not fit into memory; its owner removes it. */
  spillFolder: string
}

export interface LoadRequest {
  folder: string
  table: EmbeddedTable
  from: { path: string; format: 'csv' | 'json' | 'parquet' | 'tsv'; select: string | null }
  signal: AbortSignal
}

export interface LoadFileRequest {
  folder: string
  table: EmbeddedTable
  /** UTF-8 where it is CSV; workbooks have been written as CSV. */
  file: FileToLoad
  /** A table whose rows come first: the file's columns go into its columns of the same names. */
  append: EmbeddedTable | null
  signal: AbortSignal
  /** 0 to 100. */
  onProgress(percent: number): void
}

export interface Instance {
  /** Results that may have more rows are given while the engine makes them; shorter ones are made first. */
  readonly streamedFromRows: number
  /** A fresh connection; it keeps the tables of its beginning until it is closed. */
  session(): Promise<Session>
  /** Names of the views that users' SQL may read. */
  views(): readonly string[]
  /** Tables whose files could not be opened: they have no view. */
  broken(): readonly { table: string; message: string }[]
  /** Opens those of these tables once more that could not be opened. @throws AppError `table_damaged` when one still cannot */
  reopenTables(names: readonly string[]): Promise<void>
  /** Makes new versions visible at once; old files are let go when the last session begun before has ended. */
  setTables(tables: EmbeddedTable[]): Promise<void>
  setMemoryLimit(memoryLimitMb: number): Promise<void>
  /** The engine's own parse of users' text, as it prints it; its shape is known to the inspector of this engine alone. */
  parse(sql: string): Promise<string>
  close(): void
}
