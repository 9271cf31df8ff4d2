import type { WireError } from './errors.ts'
import type { PostProcessing } from './query-context.ts'

/**
 * What a runner is asked to do, as plain JSON. The server makes it by `plan(query, dataset, now)`; a runner
 * neither knows nor needs datasets, rights or the clock.
 */
export interface Plan {
  source: Source
  /** A chart has one statement plus one per time offset; SQL Lab has its statements in order, on one connection. */
  statements: Statement[]
  /** Joins statement `1 + i` (the i-th time offset) to the first one. */
  joins: OffsetJoin[]
  steps: PostProcessing[]
  /** After the steps: the layout that the chart of this form shows, for `post_processed`; other charts keep their rows. */
  layout?: ResultLayout
  /** Columns of the first statement, in order. Empty for SQL Lab: the engine's own columns are taken. */
  columns: PlanColumn[]
  encode: Encoding
  limits: Limits
  /**
   * Users' text as it stands goes through the guard of its source before it runs (`inspect` rules). `unread`: one statement of an
   * administrator, which no parser here knows.
   */
  guard: 'ours' | 'user-sql' | 'unread'
}

/**
 * Several plans of one statement each over the result of another one, the level, which a runner keeps as a table in the one
 * connection that asks them, until the last one is answered or, with `keep`, for others. The level is a table of ours: it is not what the guard lets pass.
 */
export interface SharedScanPlan {
  source: Source
  level: Statement
  /** Columns of the level -> types that they must have, as the engine names them: the answers are written for these. */
  types: Record<string, string>
  /** Name that the answers read the level by. */
  table: string
  /** A level with more groups fails as `result_too_large`. */
  mostGroups: number
  answers: SharedScanQuery[]
  /** The runner keeps the level of an embedded source by this name for later plans, as long as the tables stay the same and there is room. */
  keep?: string
  /** Of the whole. */
  limits: Limits
}

export interface SharedScanQuery {
  plan: Omit<Plan, 'source'>
  /**
   * Columns of its order that are exact only if their type is: with more rows than the limit and another type the answer is refused.
   * Then its statement asks for one row more than `limits.rows`.
   */
  inexact: number[]
  /** Columns of the level; the answer is refused where one of them is a floating number. */
  exact: string[]
}

/** What comes before the bytes of each answer to a shared plan, which come as each is ready: `recordHead` of `engines/channel`. */
export type SharedScanHead = { answer: number } & ({ header: RunHeader } | { error: WireError })

export interface ResultLayout {
  form: Record<string, unknown>
  /** Names of columns and metrics -> verbose names. */
  headings: Record<string, string>
}

export interface Statement {
  /** Heading in the reported SQL and in progress texts. */
  name: string
  text: string
  /** Bound values in the order of the engine's placeholders. Times are ISO text; big integers are text. */
  values: Value[]
}

export type Value = string | number | boolean | null | Value[]

export interface PlanColumn {
  /** Label in the answer; the statement's own alias may be shorter. */
  name: string
  /** Kind that the planner knows for sure; null leaves it to the engine's type. */
  kind: 'number' | 'string' | 'time' | 'boolean' | null
  /** Heading in CSV and XLSX files: the verbose name. */
  heading?: string
  /** Hours added to the times of this column (the dataset's `offset`). */
  hourOffset?: number
  /** Metrics that arrive as text are turned into numbers where possible. */
  isMetric?: boolean
  /** strptime pattern, `epoch_s` or `epoch_ms`: values are turned into times. */
  dateFormat?: string
}

export interface OffsetJoin {
  /** The text of the request, such as `1 year ago`; metrics are renamed to `<metric>__<offset>`. */
  offset: string
  /** Labels that both statements are matched on. */
  on: string[]
  /** Label of the time column among `on`, matched after adding `shift`; null when there is none. */
  time: string | null
  /** Calendar units added to the offset statement's time. */
  shift: {
    years?: number
    months?: number
    weeks?: number
    days?: number
    hours?: number
    minutes?: number
    seconds?: number
  }
  /** Match on the period instead of the exact time; for grains of a week or more. */
  period: 'week' | 'month' | 'quarter' | 'year' | null
  /** Labels of the metrics to rename. */
  metrics: string[]
}

/** Where the statements run. `settings` holds secrets: it goes to a runner over the channel and is logged nowhere. */
export type Source =
  | {
      kind: 'embedded'
      engine: 'duckdb'
      /** Uuid of the database: one runner per embedded source. */
      id: string
      /** Who asks, one word for each person: places are shared by it. It decides nothing of an answer. */
      asker?: string
      folder: string
      /** Table name -> file and version; files stand below `folder`. */
      tables: EmbeddedTable[]
    }
  | {
      kind: 'network'
      engine: string
      id: string
      /** As of an embedded source. */
      asker?: string
      settings: Record<string, unknown>
      /** What unqualified names mean; the connection's own where it is null or absent. */
      schema: string | null
      catalog?: string | null
      /** Whose rights the database looks at, where it is asked in the name of the person who asks us. */
      user?: string
      /** Statements may write. Left out, the session is read-only in the engine as well. */
      allow_dml?: boolean
      /** PEM of the authorities that the server's certificate must come from; the connection is encrypted then. */
      server_cert?: string | null
      /** Encrypted connections may go to servers that nobody vouches for. `runners` fills it in. */
      unverified_tls?: boolean
      tunnel?: Tunnel | null
      /**
       * Addresses that the outgoing gate has checked: of the tunnel's server where there is a tunnel, else of the database.
       * `runners` fills it in; a runner connects to these and looks no name up.
       */
      addresses?: string[]
    }

/** SSH server through which a database is reached, in the words of the API; `host_key` is ours. */
export interface Tunnel {
  server_address: string
  server_port: number
  username: string
  password?: string
  private_key?: string
  private_key_password?: string
  /** Fingerprint (`SHA256:...`) that the server's key must have; null or absent takes the first one it shows. */
  host_key?: string | null
}

export interface EmbeddedTable {
  name: string
  /** File below the folder (`flights.2.duckdb`), or an absolute path of a user's own file below PARQUETRY_FILES. */
  file: string
  version: number
  format: 'duckdb' | 'parquet' | 'csv' | 'json'
  /** Table inside a `.duckdb` file; `data` in those we write. */
  table: string
}

export interface Limits {
  /** Rows read at most; one more is looked for, so that "there are more" is known. */
  rows: number
  /** Cells of a result that post-processing gathers. */
  cells: number
  /** Of one value, in bytes. */
  cellBytes: number
  /** Of the whole answer, in bytes. */
  bytes: number
  timeoutMs: number
}

/** Of a plan that says nothing else. */
export const defaultLimits: Limits = {
  rows: 50_000,
  cells: 10_000_000,
  cellBytes: 1 << 20,
  bytes: 64 << 20,
  timeoutMs: 60_000,
}

/**
 * How the result leaves the runner. `rows`: the JSON text of a list of row objects, times as milliseconds (`ms`) or ISO text
 * (`iso`, SQL Lab); of a plan with a layout that its chart has, column -> row -> value. `frames`: our binary messages, of
 * one frame, or with `streamed` of several that are sent as they come. `xlsx` and `parquet` are files that are whole before
 * the first byte is sent. `legacy`: `data` of the older call for a form of an older type, whose range ends at `from` and `to`
 * (milliseconds since 1970, null is open).
 */
export type Encoding =
  | { as: 'rows'; times: 'ms' | 'iso' }
  | { as: 'frames'; streamed?: boolean }
  | { as: 'csv'; escape: boolean; separator: string; header: boolean }
  | { as: 'xlsx' }
  | { as: 'parquet' }
  | { as: 'legacy'; form: Record<string, unknown>; ends: { from: number | null; to: number | null } }

/** Content type of a body of frame messages; our own web client names it in `Accept`. */
export const framesType = 'application/vnd.parquetry.frames'

/** Small facts about a run: the server writes the envelope from it and never parses the bytes. */
export interface RunHeader {
  /** Columns of the data, in order, after the steps. */
  columns: { name: string; type: string | null; kind: FrameKind; generic: 0 | 1 | 2 | 3 }[]
  /** After the steps. -1 while rows are sent as they come (downloads): then `RunTotals` has the figures. */
  rowcount: number
  /** Before the steps. */
  sql_rowcount: number
  /** Whether the row limit cut the result. */
  truncated: boolean
  /** `label_map` of flatten: output column -> its parts. */
  labelMap: Record<string, string[]> | null
  /** Labels of the row index when it is not flattened away: former places of the rows as numbers, values as text. */
  indexNames: (string | number)[] | null
  /** What a plan's layout, or the encoding `legacy`, made of the result: names of a pivot table are lists of parts. */
  laidOut?: {
    colnames: (string | readonly unknown[])[]
    indexnames: (number | readonly unknown[])[]
    coltypes: (0 | 1 | 2 | 3)[]
  }
  /** Milliseconds in the engine and around it. */
  engineMs: number
  totalMs: number
  /** A step that failed by its own check. */
  stepError: string | null
}

/** What only the end of a run knows. */
export interface RunTotals {
  rowcount: number
  truncated: boolean
}

export type FrameKind = 'number' | 'bigint' | 'decimal' | 'string' | 'time' | 'boolean' | 'json'

/** What `inspect` says of users' SQL; the rules that judge it are in `packages/sql`. */
export interface Inspection {
  statements: InspectedStatement[]
  error: { message: string; line: number; column: number; offset: number } | null
}

export interface InspectedStatement {
  /** Start and end in the text, as JavaScript string indexes. */
  span: [start: number, end: number]
  /** `select`, `explain`, `show`, `describe`, `insert`, `create`, ..., `unknown`. */
  kind: string
  /** True only when every node of the tree is on the list of reading ones. */
  readOnly: boolean
  tables: { catalog: string | null; schema: string | null; name: string; span: [number, number] | null }[]
  functions: string[]
  /** Types that are named, where the engine has a type for the rows of each table. */
  types?: string[]
  /** Functions that stand in FROM. */
  tableFunctions: string[]
  ownLimit: number | null
  /** Where the text of the limit stands, so that it can be replaced; null when there is none or it is no plain number. */
  limitSpan: [number, number] | null
  hasOrder: boolean
  /** ` LIMIT n` at its end is understood: a SELECT without any limit of its own. */
  takesLimit: boolean
}
