import type { BundleSource, DocumentsToPack, UnpackedEntry } from '@parquetry/bundle'
import type {
  DescribeRequest,
  DescribeResult,
  EmbeddedTable,
  Encoding,
  FileLoadResult,
  FilePreview,
  FileToLoad,
  FilePreviewRequest,
  ImportProgress,
  Inspection,
  Picture,
  Plan,
  RunHeader,
  RunTotals,
  SharedScanHead,
  SharedScanPlan,
  Source,
} from '@parquetry/model'
import type { Admission } from './backlog.ts'
import type { RefusalReason } from './refusals.ts'
import type { StatementRequester } from './source-scheduler.ts'
import type { OnProgress } from './runner-process.ts'

/** A finished or arriving result. `chunks` must be read to the end or the signal aborted; each is at most 1 MB. */
export interface RunStream {
  header: RunHeader
  chunks: AsyncIterable<Buffer>
  /** Resolves with the last chunk; fails when the chunks do. */
  totals: Promise<RunTotals>
}

/** Result of one query of a shared scan. */
export type SharedScanResult = SharedScanHead & { body: Buffer }

/** A bundle on disk. */
export interface OpenBundle extends BundleSource {
  /** Deletes its documents. */
  close(): Promise<void>
}

/** Scheduling options of a statement; the requester is in its source. */
export type QueueOptions = Omit<StatementRequester, 'requester'>

/**
 * The server's side of the runner processes: one per embedded source, a pool for network engines, and shared ones for parsing,
 * drawing, loading, reading what users send, and post-processing that is too long for a shared process. Aborting a signal cancels in the engine; a process that ignores this for 2 s is
 * killed and replaced.
 */
export interface Runners {
  /** @throws AppError as the runner reports it; `runner_lost` when its process ended; `query_timeout`, `query_stopped` */
  stream(plan: Plan, signal: AbortSignal, onProgress?: OnProgress, queueOptions?: QueueOptions): Promise<RunStream>
  /** The complete result, for caching and joins. */
  run(
    plan: Plan,
    signal: AbortSignal,
    onProgress?: OnProgress,
    queueOptions?: QueueOptions,
  ): Promise<{ header: RunHeader; body: Buffer }>
  /**
   * Results of the queries of a shared plan, each as soon as it is ready; a rejected or failed one carries its error. The plan is
   * queued as one statement.
   * @throws AppError as `run` when the rollup cannot be built: `result_too_large` when it has too many groups
   */
  runShared(plan: SharedScanPlan, signal: AbortSignal, queueOptions?: QueueOptions): AsyncIterable<SharedScanResult>
  /**
   * Admits queries of a chart or dashboard, which are refused when the work of others would delay them for too long. The caller
   * closes the admission.
   * @param queries  number of queries that are not cached; more may follow
   * @throws AppError `source_busy`, `queries_waiting`, with `retryAfter` in its details
   */
  admit(source: Source, queries: number): Admission
  /** No statement runs or waits at any source. */
  isIdle(): boolean
  /** Encodes the first `rows` rows of a result in another format; `frames` are frame messages of at most 16 MB. */
  encode(frames: Uint8Array, encode: Encoding, rows: number, signal: AbortSignal, requester: string): Promise<RunStream>
  /** @throws AppError `bad_request` when the text is longer than 100 KB; an Inspection with `error` when it does not parse */
  inspect(sql: string, source: Source, signal: AbortSignal): Promise<Inspection>
  describe(source: Source, what: DescribeRequest, signal: AbortSignal): Promise<DescribeResult>
  /** Writes a table file of an embedded source from a trusted file. */
  load(
    folder: string,
    table: EmbeddedTable,
    from: { path: string; format: 'csv' | 'json' | 'parquet' | 'tsv'; select: string | null },
    signal: AbortSignal,
  ): Promise<{ rows: number }>
  /**
   * Writes a table file of an embedded source from a user's file, after the rows of `append` if given. The files of a user are
   * loaded one at a time.
   * @param onProgress  receives percentages
   */
  loadFile(
    request: { folder: string; table: EmbeddedTable; file: FileToLoad; append: EmbeddedTable | null },
    signal: AbortSignal,
    requester: string,
    onProgress?: (percent: number) => void,
  ): Promise<FileLoadResult>
  /** Previews the start of a user's file. @throws AppError `unprocessable` when it is not a table */
  previewFile(file: FilePreviewRequest, signal: AbortSignal, requester: string): Promise<FilePreview>
  /**
   * Reads a user's export ZIP, in a process with limits of work and memory. Its documents are kept in a temporary file beside it.
   * @throws AppError `unprocessable` when it is invalid or exceeds the limits
   */
  readBundle(
    path: string,
    signal: AbortSignal,
    requester: string,
    onProgress?: (progress: ImportProgress) => void,
  ): Promise<OpenBundle>
  /**
   * Finds the line of a field in a file of a user's export ZIP, for a message.
   * @param keys  see `findLine`
   */
  findBundleLine(
    path: string,
    file: string,
    keys: readonly string[],
    signal: AbortSignal,
    requester: string,
  ): Promise<number | undefined>
  /**
   * Packs documents on disk like `packDocuments`, in the same process. After an abort it may continue for a moment.
   * @throws AppError `unprocessable` when they exceed the limits; `disk_full`
   */
  writeBundle(
    packed: DocumentsToPack,
    entries: readonly UnpackedEntry[],
    signal: AbortSignal,
    requester: string,
  ): Promise<void>
  /** Formats SQL. @throws AppError `bad_request` for a text that exceeds the limits */
  formatSql(
    text: { sql: string; dialect: string | null; workMs?: number },
    signal: AbortSignal,
    requester: string,
  ): Promise<string>
  /** Notifies the runner of an embedded source, if one is running, that its tables changed. */
  tablesChanged(source: Source): Promise<void>
  /**
   * Draws an image from results that were read before.
   * @param messages  results of its charts, as in a dashboard's stream
   * @throws AppError `result_too_large`; `query_timeout`; `runner_lost` when it needed too much memory
   */
  draw(picture: Picture, messages: Buffer, signal: AbortSignal, requester: string): Promise<Buffer>
  /** For /metrics and tests; `running` includes `waiting`. */
  stats(): {
    running: number
    waiting: number
    refused: Record<RefusalReason, number>
    runners: { kind: string; id: string; pid: number; busy: number }[]
  }
  /** Cancels running work, waits at most `graceMs`, then kills the rest. */
  close(graceMs: number): Promise<void>
}
