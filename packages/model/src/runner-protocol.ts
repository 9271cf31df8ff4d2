import type { WireError } from './errors.ts'
import type { Picture } from './picture.ts'
import type { FileToLoad, FilePreviewRequest } from './upload.ts'
import type {
  EmbeddedTable,
  Encoding,
  Inspection,
  Limits,
  Plan,
  ShapePlan,
  RunHeader,
  RunTotals,
  SharedScanPlan,
  Source,
} from './plan.ts'

/** Bytes of one job that may be in flight before the reader acknowledges them with `taken`. */
export const windowBytes = 4 << 20

/**
 * Messages between the server and a runner: `u32` head length, `u32` body length (little-endian), the head as JSON, the body. A
 * job returns one `header`, any number of `bytes` (at most 1 MB each) and one `end` or `error`; or one `answer`; or one `error`.
 * The reader acknowledges bytes, so that a slow reader stops only its own job and not others on the same socket.
 */
export type ToRunner =
  /** Sent first. Only runners of embedded sources have a source. */
  | { type: 'open'; source: Source | null; memoryLimitMb: number; threads: number; spillFolder: string }
  /** The memory limit of the engine changed. */
  | { type: 'memory'; memoryLimitMb: number }
  /** `progressIntervalMs`: maximum interval between the runner's progress messages. */
  | { type: 'run'; job: number; plan: Plan; progressIntervalMs?: number }
  /** Results are sent as records in the bytes; the header means that the rollup exists. */
  | { type: 'run_shared'; job: number; plan: SharedScanPlan }
  /** Converts a result of frame messages (the body) to another encoding. */
  | { type: 'encode'; job: number; encode: Encoding; rows: number }
  /** Finishes a run that another runner has handed over. */
  | { type: 'shape'; job: number; plan: ShapePlan; from: HandedOver }
  | { type: 'inspect'; job: number; sql: string; dialect: string }
  | { type: 'describe'; job: number; source: Source; what: DescribeRequest }
  /** Draws an image from results (the body, as stream messages) and returns it as bytes. */
  | { type: 'draw'; job: number; picture: Picture }
  /** Creates a table file of an embedded source from a trusted file (examples). */
  | {
      type: 'load'
      job: number
      folder: string
      table: EmbeddedTable
      from: { path: string; format: 'csv' | 'json' | 'parquet' | 'tsv'; select: string | null }
    }
  /** Creates a table file of an embedded source from an uploaded file; `append` is the table to append to. */
  | {
      type: 'load_file'
      job: number
      folder: string
      table: EmbeddedTable
      file: FileToLoad
      append: EmbeddedTable | null
    }
  /** Inspects the start of an uploaded file. */
  | { type: 'preview_file'; job: number; file: FilePreviewRequest }
  /** Reads or writes a text or archive that may be expensive; the result is sent as bytes. */
  | { type: 'read'; job: number; task: ReaderTask }
  /** The set of tables changed: attaches new ones, recreates views, detaches late. */
  | { type: 'tables'; job: number; tables: EmbeddedTable[] }
  | { type: 'cancel'; job: number }
  | { type: 'taken'; job: number; bytes: number }

/**
 * Header of a run whose rows were read, but whose post-processing is too much work for a process that others share. The job ends
 * without bytes; a process of its own continues with the file.
 */
export interface HandedOver {
  /** Frame messages with the index of their result in `result`. The reader deletes the file. */
  path: string
  sql_rowcount: number
  truncated: boolean
  engineMs: number
  totalMs: number
}

export type FromRunner =
  | { type: 'ready'; broken: { table: string; message: string }[] }
  | { type: 'header'; job: number; header: RunHeader | { handedOver: HandedOver } | Record<string, unknown> }
  | { type: 'bytes'; job: number }
  /** `rows`: rows read so far by the current statement. */
  | { type: 'progress'; job: number; statement: number; statementCount: number; rows?: number }
  | { type: 'answer'; job: number; answer: Inspection | DescribeResult | Record<string, unknown> }
  | { type: 'end'; job: number; totals?: RunTotals }
  | { type: 'error'; job: number; error: WireError }

/** Reading and writing that runs in a separate thread with limits of work and memory. */
export type ReaderTask =
  /**
   * Unpacks a user's export ZIP into the new file `output`, one line of JSON per document. The answer has a line per document too:
   * first their number, then the path, offset and length of each one.
   */
  | { what: 'bundle'; path: string; output: string; limits: { objects: number; files: number; unpackedBytes: number } }
  /** Finds the line of a field in a file of an export ZIP; the answer is empty without one. */
  | { what: 'line'; path: string; file: string; keys: readonly string[] }
  /**
   * Packs documents of such a file as an export ZIP into the existing file `output`; the body is a JSON list of their places.
   * @see packDocuments
   */
  | {
      what: 'archive'
      documents: string
      output: string
      metadata: { version: string; type: string; timestamp: string }
      root: string
      unpackedBytes: number
    }
  /** Formats SQL. `workMs`: a limit for tests. */
  | { what: 'sql'; sql: string; dialect: string | null; workMs?: number }

/** Metadata queries of a source. */
export type DescribeRequest =
  /** Opens a socket to the server without signing in; network engines only. */
  | { what: 'reach' }
  | { what: 'ping' }
  /** Privileges of the account beyond reading; engines that report them. */
  | { what: 'powers' }
  /** Only engines with `supports.catalogs`. */
  | { what: 'catalogs' }
  | { what: 'schemas' }
  | { what: 'tables'; schema: string | null }
  | { what: 'table'; schema: string | null; table: string }
  /** The last partition with these values (text by column); engines with `buildPartitionMacros`. */
  | { what: 'partition'; schema: string | null; table: string; values: Record<string, string> }
  /** Columns of a query, without running it. */
  | { what: 'columns'; sql: string }
  /** Names of the functions available in SQL, for completion. */
  | { what: 'functions' }
  /** Cost of running one statement, without running it; engines with `supports.estimate`. */
  | { what: 'estimate'; sql: string }

/** `files`: access to files and programs of the server, and to other servers. */
export type AccountPower = 'superuser' | 'accounts' | 'files' | 'write'

export interface DescribedColumn {
  name: string
  /** Engine's type name, upper case. */
  type: string
  generic: 0 | 1 | 2 | 3
  comment: string | null
  nullable: boolean
}

export interface DescribedKey {
  name: string | null
  column_names: string[]
  type: 'pk' | 'fk' | 'index' | 'unique'
  referred_schema?: string | null
  referred_table?: string
  referred_columns?: string[]
}

export type DescribeResult =
  /** `host_key` is the fingerprint of the tunnel's server. */
  | { what: 'reach'; host_key: string | null }
  | { what: 'ping'; version: string }
  | { what: 'powers'; powers: AccountPower[] }
  | { what: 'schemas'; schemas: string[] }
  /** `rows` as in `table`, where the engine knows all of them together. */
  | { what: 'tables'; tables: { name: string; type: 'table' | 'view'; rows?: number }[] }
  | {
      what: 'table'
      columns: DescribedColumn[]
      keys: DescribedKey[]
      comment: string | null
      /** Estimate from the engine's statistics, if it has one without counting. */
      rows?: number
      /** Only for partitioned tables. */
      partitions?: { cols: string[]; latest: Record<string, string>; partitionQuery: string }
      /** SQL of a view. */
      view?: string
    }
  /** `cols` is empty for a table without partitions; `latest` omits null values and is empty when nothing is found. */
  | { what: 'partition'; cols: string[]; latest: Record<string, string> }
  | { what: 'columns'; columns: DescribedColumn[] }
  | { what: 'catalogs'; catalogs: string[] }
  | { what: 'functions'; names: string[] }
  /** Labels and figures as named and ordered by the engine: `{ 'Start-up cost': '0.00', 'Total cost': '12.5' }`. */
  | { what: 'estimate'; cost: Record<string, string> }

export type { Limits }
