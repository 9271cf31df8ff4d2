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

/** Vendor-specific part of a network engine, imported only by runners through `@parquetry/engines/drivers`. */
export interface Driver {
  /** @throws AppError `connection_*` */
  open(settings: Record<string, unknown>, context: SessionContext): Promise<Session>
}

export interface SessionContext {
  schema: string | null
  catalog?: string | null
  /** User whose permissions the server checks, if it is not the account of the connection. */
  user?: string
  /** The engine's own time limit for each statement, where it has one. */
  timeoutMs: number
  /** False: the engine keeps the session read-only as well, whatever the text contains. */
  allowDml: boolean
  /**
   * Returns a socket connected to the server, at the checked address or through the tunnel. If it is set, a driver connects only
   * through it; the host of the settings remains the name that TLS verifies. HTTP clients use `createHttpAgent`.
   * @throws AppError `connection_failed`
   */
  dial?: () => Promise<Socket>
  /** Identifies the path that `dial` uses: drivers that reuse connections include it in their key. */
  routeKey?: string
  /** PEM of the authorities that must have issued the server's certificate; implies an encrypted connection. */
  serverCert?: string | null
  /** The operator allows encrypted connections to servers with unverified certificates; see `buildTlsOptions`. */
  unverifiedTls?: boolean
}

/** How a server is reached: connections with the same settings and way are interchangeable. */
export type ConnectionRoute = Pick<SessionContext, 'dial' | 'routeKey' | 'serverCert' | 'unverifiedTls'>

/** Maximum number of rows in a frame of a session. */
export const maxFrameRows = 2048

export interface TempTable {
  name: string
  statement: Statement
  /** Required type of each column. */
  types: Readonly<Record<string, string>>
}

/** One connection. Statements of one job run in order on one session; a session is reset or closed before another user's job. */
export interface Session {
  /**
   * Runs one statement and yields frames of at most `maxFrameRows` rows with one schema, stopping after `limits.rows + 1` rows. A
   * statement without rows yields one frame of zero rows with its columns.
   * @throws AppError with the engine's message; `details: { line, column, offset }` if the engine reports the position:
   * line and column from 1, offset as a JavaScript string index
   */
  run(statement: Statement, limits: Limits): AsyncIterable<Frame>
  /**
   * Creates a table from the result of a SELECT; at most `limits.rows + 1` rows are needed. Only this session can read it, it
   * ends with the session, and a later statement that fails does not affect it. Omitted if an engine has no such tables.
   * @returns the number of rows
   * @throws AppError `unsupported` when this account cannot create one in this database; `conflict` when the columns have other
   * types
   */
  createTempTable?(table: TempTable, limits: Limits): Promise<number>
  /** Stops the current statement; safe to call at any time, also when nothing runs. */
  cancel(): Promise<void>
  describe(request: DescribeRequest): Promise<DescribeResult>
  close(): Promise<void>
}

/** Vendor-specific part of an embedded engine: one instance per runner, over files that are read and never written. */
export interface EmbeddedDriver {
  open(folder: string, tables: EmbeddedTable[], limits: InstanceLimits): Promise<Instance>
  /**
   * Writes the file of one table from a trusted file, next to the old ones, and renames it when it is complete. `select` reads
   * from `source`, which represents the file.
   */
  load(request: LoadRequest, limits: InstanceLimits): Promise<{ rows: number }>
  /** Writes the file of one table from a user's file and checks its values. */
  loadFile(request: LoadFileRequest, limits: InstanceLimits): Promise<FileLoadResult>
  /** Columns, types and first records of a Parquet file. */
  previewParquet(path: string, limits: InstanceLimits, signal: AbortSignal): Promise<FilePreview>
  /** Writes frames to a Parquet file; drafts are stored in the spill folder meanwhile. */
  createParquetWriter(path: string, limits: InstanceLimits): Promise<FileWriter>
}

/** Writes frames of one schema to a file. */
export interface FileWriter {
  frame(frame: Frame): Promise<void>
  /** Settles when the file is complete. */
  end(): Promise<void>
  /** Must always be called, and last. */
  close(): Promise<void>
}

export interface InstanceLimits {
  memoryLimitMb: number
  threads: number
  /** Folder for data that does not fit into memory; its owner removes it. */
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
  /** UTF-8 for CSV; workbooks have been converted to CSV. */
  file: FileToLoad
  /** A table whose rows come first: the file's columns are appended to its columns of the same names. */
  append: EmbeddedTable | null
  signal: AbortSignal
  /** 0 to 100. */
  onProgress(percent: number): void
}

export interface Instance {
  /** Results that may have more rows are streamed while the engine produces them; smaller ones are materialized first. */
  readonly streamedFromRows: number
  /** Opens a new connection, which sees the tables of its start until it is closed. */
  session(): Promise<Session>
  /** Names of the views that users' SQL may read. */
  views(): readonly string[]
  /** Tables whose files could not be opened. They have no view, unless an earlier version is still open. */
  broken(): readonly { table: string; message: string }[]
  /**
   * Retries those of these tables that could not be opened. @throws AppError `table_damaged` or `unavailable` when one still
   * cannot
   */
  reopenTables(names: readonly string[]): Promise<void>
  /** Makes new versions visible immediately; old files are released when the last session that started before has ended. */
  setTables(tables: EmbeddedTable[]): Promise<void>
  setMemoryLimit(memoryLimitMb: number): Promise<void>
  /** The engine's own parse of a user's statement, as the engine prints it; only the inspector of this engine knows its shape. */
  parse(sql: string): Promise<string>
  close(): void
}
