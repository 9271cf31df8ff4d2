import type { WireError } from './errors.ts'
import type { PostProcessing } from './query-context.ts'

/**
 * Input of a runner as plain JSON, created on the server by `plan(query, dataset, now)`. A runner does not need datasets,
 * permissions or the clock.
 */
export interface Plan {
  source: Source
  /** A chart has one statement plus one per time offset; SQL Lab has its statements in order, on one connection. */
  statements: Statement[]
  /** Joins statement `1 + i` (the i-th time offset) to the first one. */
  joins: OffsetJoin[]
  steps: PostProcessing[]
  /** Applied after the steps for `post_processed`: the table layout of the chart's form. Other charts keep their rows. */
  layout?: ResultLayout
  /** Columns of the first statement, in order. Empty for SQL Lab, which uses the engine's columns. */
  columns: PlanColumn[]
  encode: Encoding
  limits: Limits
  /**
   * `user-sql`: unmodified SQL of a user, checked by the guard of its source before it runs (`inspect` rules). `unparsed`: one
   * statement of an administrator that our parser does not support.
   */
  guard: 'ours' | 'user-sql' | 'unparsed'
}

/** The part of a plan that applies to the rows of its statements. */
export type ShapePlan = Pick<Plan, 'joins' | 'steps' | 'layout' | 'columns' | 'encode' | 'limits'>

/**
 * Several plans of one statement each over the result of another statement, the rollup. A runner stores the rollup as a table in
 * the connection that runs the plans, until the last one is finished or, with `cacheKey`, for later use. The rollup is an internal
 * table, not one of those that the guard allows.
 */
export interface SharedScanPlan {
  source: Source
  rollup: Statement
  /** Required types of the rollup's columns, as named by the engine: the plans are written for these types. */
  types: Record<string, string>
  /** Name of the rollup's table in the plans. */
  table: string
  /** A rollup with more groups fails with `result_too_large`. */
  maxGroups: number
  queries: SharedScanQuery[]
  /**
   * The runner of an embedded source caches the rollup under this key for later plans, until its tables change or the memory is
   * needed.
   */
  cacheKey?: string
  /** Limits of the whole run. */
  limits: Limits
}

export interface SharedScanQuery {
  plan: Omit<Plan, 'source'>
  /**
   * Indexes of order columns that are only exact with an exact type. With another type and more rows than the limit, the plan is
   * rejected; its statement therefore requests one row more than `limits.rows`.
   */
  inexact: number[]
  /** Columns of the rollup; the plan is rejected if one of them is a floating-point number. */
  exact: string[]
}

/**
 * Precedes the bytes of each result of a shared plan, which is sent as soon as it is ready: `encodeRecordHead` of `engines/channel`.
 */
export type SharedScanHead = { queryIndex: number } & ({ header: RunHeader } | { error: WireError })

export interface ResultLayout {
  form: Record<string, unknown>
  /** Verbose names by column or metric name. */
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
  /** Label in the result; the statement's own alias may be shorter. */
  name: string
  /** Kind if known to the planner; null uses the engine's type. */
  kind: 'number' | 'string' | 'time' | 'boolean' | null
  /** Heading in CSV and XLSX files: the verbose name. */
  heading?: string
  /** Hours added to the times of this column (the dataset's `offset`). */
  hourOffset?: number
  /** Metrics returned as text are converted to numbers where possible. */
  isMetric?: boolean
  /** strptime pattern, `epoch_s` or `epoch_ms`: values are converted to times. */
  dateFormat?: string
}

export interface OffsetJoin {
  /** Offset as in the request, such as `1 year ago`; metrics are renamed to `<metric>__<offset>`. */
  offset: string
  /** Labels on which both statements are joined. */
  on: string[]
  /** Label of the time column among `on`, joined after adding `shift`; null when there is none. */
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
  /** Joins on the period instead of the exact time, for grains of a week or more. */
  period: 'week' | 'month' | 'quarter' | 'year' | null
  /** Labels of the metrics to rename. */
  metrics: string[]
}

/** Where the statements run. `settings` contains secrets: it is sent to a runner over the channel and never logged. */
export type Source =
  | {
      kind: 'embedded'
      engine: 'duckdb'
      /** Uuid of the database: one runner per embedded source. */
      id: string
      /** Opaque key of the requester, for fair scheduling. It does not affect results. */
      requester?: string
      folder: string
      /** Tables by name with file and version; files are below `folder`. */
      tables: EmbeddedTable[]
    }
  | {
      kind: 'network'
      engine: string
      id: string
      /** As for an embedded source. */
      requester?: string
      settings: Record<string, unknown>
      /** Schema of unqualified names; null or absent uses the connection's own. */
      schema: string | null
      catalog?: string | null
      /** User whose permissions the database applies when the requester is impersonated. */
      user?: string
      /** Allows statements to write. Otherwise the session is read-only in the engine as well. */
      allow_dml?: boolean
      /** PEM of the certificate authorities that the server's certificate must come from; implies an encrypted connection. */
      server_cert?: string | null
      /** Allows encrypted connections to servers with unverified certificates. Set by `runners`. */
      unverified_tls?: boolean
      tunnel?: Tunnel | null
      /**
       * Addresses that `withOutgoingAddresses` of the server checked: of the tunnel's server if there is a tunnel, else of the database. Set by
       * `runners`; a runner connects to these without DNS lookups.
       */
      addresses?: string[]
    }

/** SSH server through which a database is reached, with the field names of the API; `host_key` is a Parquetry extension. */
export interface Tunnel {
  server_address: string
  server_port: number
  username: string
  password?: string
  private_key?: string
  private_key_password?: string
  /** Required fingerprint (`SHA256:...`) of the server's key; null or absent accepts the first key shown. */
  host_key?: string | null
}

export interface EmbeddedTable {
  name: string
  /** File below the folder (`flights.2.duckdb`), or an absolute path of a user's own file below PARQUETRY_FILES. */
  file: string
  version: number
  format: 'duckdb' | 'parquet' | 'csv' | 'json'
  /** Table inside a `.duckdb` file; `data` in files written by Parquetry. */
  table: string
}

export interface Limits {
  /** Maximum number of rows; one more is requested to detect a truncated result. */
  rows: number
  /** Maximum number of cells that post-processing collects. */
  cells: number
  /** Maximum size of one value, in bytes. */
  cellBytes: number
  /** Maximum size of the whole result, in bytes. */
  bytes: number
  timeoutMs: number
}

/** Default limits of a plan. */
export const defaultLimits: Limits = {
  rows: 50_000,
  cells: 10_000_000,
  cellBytes: 1 << 20,
  bytes: 64 << 20,
  timeoutMs: 60_000,
}

/**
 * Format in which the result leaves the runner. `rows`: JSON text of a list of row objects, with times as milliseconds (`ms`) or
 * ISO text (`iso`, SQL Lab); for a plan with a layout that its chart supports, column -> row -> value. `frames`: binary messages,
 * as one frame or, with `streamed`, as several frames sent as they arrive. `xlsx` and `parquet` files are complete before the
 * first byte is sent. `legacy`: `data` of the legacy call for a form of a legacy type, whose range ends at `from` and `to`
 * (milliseconds since 1970, null is open).
 */
export type Encoding =
  | { as: 'rows'; times: 'ms' | 'iso' }
  | { as: 'frames'; streamed?: boolean }
  | { as: 'csv'; escape: boolean; separator: string; header: boolean }
  | { as: 'xlsx' }
  | { as: 'parquet' }
  | { as: 'legacy'; form: Record<string, unknown>; range: { from: number | null; to: number | null } }

/** Content type of frame messages; the Parquetry web client sends it in `Accept`. */
export const framesType = 'application/vnd.parquetry.frames'

/** Metadata of a run, from which the server writes the envelope without parsing the bytes. */
export interface RunHeader {
  /** Columns of the data, in order, after the steps. */
  columns: { name: string; type: string | null; kind: FrameKind; generic: 0 | 1 | 2 | 3 }[]
  /** Row count after the steps; -1 while rows are streamed (downloads), in which case `RunTotals` has the figures. */
  rowcount: number
  /** Row count before the steps. */
  sql_rowcount: number
  /** True if the row limit cut the result. */
  truncated: boolean
  /** `label_map` of flatten: output column -> its parts. */
  labelMap: Record<string, string[]> | null
  /** Labels of the row index if it was not flattened: original row positions as numbers, values as text. */
  indexNames: (string | number)[] | null
  /** Result of the plan's layout or of the encoding `legacy`; names of a pivot table are lists of parts. */
  layout?: {
    colnames: (string | readonly unknown[])[]
    indexnames: (number | readonly unknown[])[]
    coltypes: (0 | 1 | 2 | 3)[]
  }
  /** Milliseconds in the engine; `totalMs` includes the work around it. */
  engineMs: number
  totalMs: number
  /** Message of a step that failed its own check. */
  stepError: string | null
}

/** Figures that are only known at the end of a run. */
export interface RunTotals {
  rowcount: number
  truncated: boolean
}

export type FrameKind = 'number' | 'bigint' | 'decimal' | 'string' | 'time' | 'boolean' | 'json'

/** Result of `inspect` for users' SQL, evaluated by the rules in `packages/sql`. */
export interface Inspection {
  statements: InspectedStatement[]
  error: { message: string; line: number; column: number; offset: number } | null
}

export interface InspectedStatement {
  /** Start and end in the text, as JavaScript string indexes. */
  span: [start: number, end: number]
  /** `select`, `explain`, `show`, `describe`, `insert`, `create`, ..., `unknown`. */
  kind: string
  /** True only if every node of the syntax tree is on the allowlist of reading nodes. */
  readOnly: boolean
  tables: { catalog: string | null; schema: string | null; name: string; span: [number, number] | null }[]
  functions: string[]
  /** Types named in the statement, for engines in which each table has a row type. */
  types?: string[]
  /** Functions in FROM. */
  tableFunctions: string[]
  ownLimit: number | null
  /** Span of the limit in the text, so that it can be replaced; null if there is none or it is not a plain number. */
  limitSpan: [number, number] | null
  hasOrder: boolean
  /** ` LIMIT n` can be appended: a SELECT without a limit. */
  takesLimit: boolean
}
