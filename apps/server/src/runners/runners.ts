import type { Bundle } from '@parquetry/bundle'
import type {
  DescribeRequest,
  DescribeResult,
  EmbeddedTable,
  Encoding,
  FileLoadResult,
  FilePreview,
  FileToLoad,
  FilePreviewRequest,
  Inspection,
  Picture,
  Plan,
  RunHeader,
  RunTotals,
  SharedScanHead,
  SharedScanPlan,
  Source,
} from '@parquetry/model'
import type { StatementRequester } from './source-scheduler.ts'
import type { OnProgress } from './runner-process.ts'

/** A finished or arriving result. `chunks` must be read to its end or the signal aborted; each is at most 1 MB. */
export interface RunStream {
  header: RunHeader
  chunks: AsyncIterable<Buffer>
  /** Settles with the last chunk; fails as the chunks do. */
  totals: Promise<RunTotals>
}

/** `answer` is the position of its question. */
export type SharedScanResult = SharedScanHead & { body: Buffer }

/** How a statement waits for its turn. Whose it is says its source (`asker`). */
export type QueueOptions = Omit<StatementRequester, 'requester'>

/**
 * The server's side of the runner processes: one per embedded source, a pool for network engines, one for
 * parsing, one for drawing, one for reading what users send. Aborting a signal cancels in the engine; what does not die within 2 s is killed and replaced.
 */
export interface Runners {
  /** @throws AppError as the runner reports it; `runner_lost` when its process ended; `query_timeout`, `query_stopped` */
  stream(plan: Plan, signal: AbortSignal, onProgress?: OnProgress, turn?: QueueOptions): Promise<RunStream>
  /** The whole result at once, for what is cached and joined. */
  run(
    plan: Plan,
    signal: AbortSignal,
    onProgress?: OnProgress,
    turn?: QueueOptions,
  ): Promise<{ header: RunHeader; body: Buffer }>
  /**
   * Answers to the questions of a shared plan, each as it is ready; one that is refused or fails comes with its error. It waits for its
   * turn as one statement.
   * @throws AppError as `run`, where no level can be made: `result_too_large` for one with too many groups
   */
  runShared(plan: SharedScanPlan, signal: AbortSignal): AsyncIterable<SharedScanResult>
  /** A result of frame messages, at most 16 MB of them, in another encoding, its first `rows` rows. */
  encode(frames: Uint8Array, encode: Encoding, rows: number, signal: AbortSignal, person: string): Promise<RunStream>
  /** @throws AppError `bad_request` when the text is longer than 100 KB; an Inspection with `error` when it does not parse */
  inspect(sql: string, source: Source, signal: AbortSignal): Promise<Inspection>
  describe(source: Source, what: DescribeRequest, signal: AbortSignal): Promise<DescribeResult>
  /** Writes a table file of an embedded source from a file that we trust. */
  load(
    folder: string,
    table: EmbeddedTable,
    from: { path: string; format: 'csv' | 'json' | 'parquet' | 'tsv'; select: string | null },
    signal: AbortSignal,
  ): Promise<{ rows: number }>
  /**
   * Writes a table file of an embedded source from a file that a user sent, behind the rows of `append` if there is one. Loads
   * run one after the other.
   * @param onProgress  is given per cents
   */
  loadFile(
    request: { folder: string; table: EmbeddedTable; file: FileToLoad; append: EmbeddedTable | null },
    signal: AbortSignal,
    person: string,
    onProgress?: (percent: number) => void,
  ): Promise<FileLoadResult>
  /** What the start of a user's file says. @throws AppError `unprocessable` when it is no table */
  previewFile(file: FilePreviewRequest, signal: AbortSignal, person: string): Promise<FilePreview>
  /**
   * Reads an export ZIP that a user sent, in a process with limits of work and memory.
   * @throws AppError `unprocessable` for one that is none, is wrong or takes too much
   */
  readBundle(path: string, signal: AbortSignal, person: string): Promise<Bundle>
  /**
   * Packs a bundle as `writeArchive`, in the same process.
   * @param lines  of `linesOf`
   * @throws AppError `unprocessable` when it takes too much
   */
  writeBundle(lines: Buffer, root: string, signal: AbortSignal, person: string): Promise<Buffer>
  /** SQL in lines that can be read. @throws AppError `bad_request` for a text that takes too much */
  formatSql(
    text: { sql: string; dialect: string | null; workMs?: number },
    signal: AbortSignal,
    person: string,
  ): Promise<string>
  /** Tells the runner of an embedded source, if one is up, that its tables changed. */
  tablesChanged(source: Source): Promise<void>
  /**
   * A picture of answers that were read before.
   * @param messages  the answers of its charts, as a dashboard's stream sends them
   * @throws AppError `result_too_large`, `query_timeout`
   */
  draw(picture: Picture, messages: Buffer, signal: AbortSignal, person: string): Promise<Buffer>
  /** For /metrics and tests; what waits is among what runs. */
  stats(): { running: number; waiting: number; runners: { kind: string; id: string; pid: number; busy: number }[] }
  /** Cancels what runs, waits at most `graceMs`, kills what is left. */
  close(graceMs: number): Promise<void>
}
