import type { WireError } from './errors.ts'
import type { Picture } from './picture.ts'
import type { FileToLoad, FilePreviewRequest } from './upload.ts'
import type {
  EmbeddedTable,
  Encoding,
  Inspection,
  Limits,
  Plan,
  RunHeader,
  RunTotals,
  SharedScanPlan,
  Source,
} from './plan.ts'

/** Bytes of one job that may be on their way before the reader has `taken` them. */
export const windowBytes = 4 << 20

/**
 * Messages between the server and a runner: `u32` head length, `u32` body length (little-endian), the head as JSON, the body.
 * A job's answer is one `header`, any number of `bytes` (at most 1 MB each) and one `end` or `error`; or one `answer`; or one
 * `error`. The reader of bytes says what it has taken, so that a slow one stops its own job and no other on the same socket.
 */
export type ToRunner =
  /** First of all. A source belongs to runners of embedded sources alone. */
  | { type: 'open'; source: Source | null; memoryLimitMb: number; threads: number; spillFolder: string }
  /** The engine's share of the memory changed. */
  | { type: 'memory'; memoryLimitMb: number }
  /** `beatMs`: the runner says at least so often that it lives and how far it is. */
  | { type: 'run'; job: number; plan: Plan; beatMs?: number }
  /** Answers come as records in the bytes; the header says that the level is made. */
  | { type: 'run_shared'; job: number; plan: SharedScanPlan }
  /** Writes a result of frame messages, which is the body, in another encoding. */
  | { type: 'encode'; job: number; encode: Encoding; rows: number }
  | { type: 'inspect'; job: number; sql: string; dialect: string }
  | { type: 'describe'; job: number; source: Source; what: DescribeRequest }
  /** Draws a picture of answers, which are the body as messages of a stream; it comes as bytes. */
  | { type: 'draw'; job: number; picture: Picture }
  /** Makes a table file of an embedded source from a file we trust (examples). */
  | {
      type: 'load'
      job: number
      folder: string
      table: EmbeddedTable
      from: { path: string; format: 'csv' | 'json' | 'parquet' | 'tsv'; select: string | null }
    }
  /** Makes a table file of an embedded source from a file that a user sent; `append` is the table that it goes on from. */
  | {
      type: 'load_file'
      job: number
      folder: string
      table: EmbeddedTable
      file: FileToLoad
      append: EmbeddedTable | null
    }
  /** What the start of such a file says. */
  | { type: 'look_file'; job: number; file: FilePreviewRequest }
  /** A text or archive that may be costly to read, or to write; the answer is bytes. */
  | { type: 'read'; job: number; task: ReaderTask }
  /** The set of tables changed: attach what is new, re-make views, detach late. */
  | { type: 'tables'; job: number; tables: EmbeddedTable[] }
  | { type: 'cancel'; job: number }
  | { type: 'taken'; job: number; bytes: number }

export type FromRunner =
  | { type: 'ready'; broken: { table: string; message: string }[] }
  | { type: 'header'; job: number; header: RunHeader | Record<string, unknown> }
  | { type: 'bytes'; job: number }
  /** `rows`: read so far of the statement that is read. */
  | { type: 'progress'; job: number; statement: number; of: number; rows?: number }
  | { type: 'answer'; job: number; answer: Inspection | DescribeResult | Record<string, unknown> }
  | { type: 'end'; job: number; totals?: RunTotals }
  | { type: 'error'; job: number; error: WireError }

/** What is read, or written, in a thread of its own with limits of work and memory. */
export type ReaderTask =
  /** An export ZIP that a user sent: a line of JSON for each document. */
  | { what: 'bundle'; path: string }
  /** Such lines, which are the body, as an export ZIP below this folder. */
  | { what: 'archive'; root: string }
  /** SQL in lines that can be read. `workMs`: a limit of its own, for tests. */
  | { what: 'sql'; sql: string; dialect: string | null; workMs?: number }

/** What can be asked of a source's catalogue. */
export type DescribeRequest =
  /** Opens a socket to the server and signs in nowhere; network engines only. */
  | { what: 'reach' }
  | { what: 'ping' }
  /** What the account may do beyond reading; engines that can tell. */
  | { what: 'powers' }
  /** Only engines whose `supports.catalogs` says so. */
  | { what: 'catalogs' }
  | { what: 'schemas' }
  | { what: 'tables'; schema: string | null }
  | { what: 'table'; schema: string | null; table: string }
  /** The last of the partitions that have these values as text by column; engines that have `partitionMacros`. */
  | { what: 'partition'; schema: string | null; table: string; of: Record<string, string> }
  /** Columns of a query, without running it. */
  | { what: 'columns'; sql: string }
  /** Names of the functions that a text may call, for completion. */
  | { what: 'functions' }
  /** What running one statement would cost, without running it; engines whose `supports.estimate` says so. */
  | { what: 'estimate'; sql: string }

/** `files`: files and programs of the server, and other servers. */
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
  /** `rows` as of `table`, where all of them are known at once. */
  | { what: 'tables'; tables: { name: string; type: 'table' | 'view'; rows?: number }[] }
  | {
      what: 'table'
      columns: DescribedColumn[]
      keys: DescribedKey[]
      comment: string | null
      /** Where the engine knows it without counting: its statistics, so near and not exact. */
      rows?: number
      /** Of partitioned tables. */
      partitions?: { cols: string[]; latest: Record<string, string>; partitionQuery: string }
      /** The text of a view. */
      view?: string
    }
  /** `cols` is empty for a table without partitions; `latest` has no value that is null, and none where nothing is found. */
  | { what: 'partition'; cols: string[]; latest: Record<string, string> }
  | { what: 'columns'; columns: DescribedColumn[] }
  | { what: 'catalogs'; catalogs: string[] }
  | { what: 'functions'; names: string[] }
  /** Labels and figures in the engine's own words and order: `{ 'Start-up cost': '0.00', 'Total cost': '12.5' }`. */
  | { what: 'estimate'; cost: Record<string, string> }

export type { Limits }
