import {
  AppError,
  type Encoding,
  type Limits,
  type Message,
  type PlannerColumn,
  type PlannerDataset,
  type PlannerMetric,
  type ResultType,
  type Source,
} from '@parquetry/model'
import type { RestrictedQuery } from '../restrict.ts'
import type { Dialect } from '../sql/dialect.ts'
import type { TimeRange } from '../time-range/resolve-time-range.ts'

/** What a plan needs besides the question and the dataset. */
export interface PlanContext {
  /** The server's wall clock in its own zone, ISO text without a zone; `localIso` makes it. */
  now: string
  source: Source
  encode: Encoding
  /** `rows` is replaced by the row limit of the query. */
  limits: Limits
  dialect: Dialect
  settings: QuerySettings
  resultType: ResultType
  /** Form data of the question: of result type `post_processed` it says the layout. */
  form?: Record<string, unknown> | null
  /**
   * What the database said of ad-hoc expressions, by their text. An expression that is not here is taken to be good, and to be
   * a time when a grain is asked of it; `invalid` makes a filter on it a rejected one.
   */
  expressions?: ReadonlyMap<string, 'time' | 'other' | 'invalid'>
  /** Later pages too come as the engine finds their rows, without an order that keeps them apart. */
  isUnordered?: boolean
}

/** Settings that bound a question, under the names of the API. */
export interface QuerySettings {
  ROW_LIMIT: number
  SQL_MAX_ROW: number
  SAMPLES_ROW_LIMIT: number
  ALLOW_ADHOC_SUBQUERY: boolean
}

/** What the parts of one statement share. */
export interface Scope {
  query: RestrictedQuery
  dataset: PlannerDataset
  context: PlanContext
  dialect: Dialect
  columns: ReadonlyMap<string, PlannerColumn>
  metrics: ReadonlyMap<string, PlannerMetric>
  /** The temporal column that `range` filters; null when the query names none. */
  granularity: PlannerColumn | null
  range: TimeRange
  /** The range that ranks the series: that of the main query, also in a query of a time offset. */
  innerRange: TimeRange
  isTimeseries: boolean
}

/** Reserved label of the time column that `is_timeseries` adds. */
export const timestampLabel = '__timestamp'

/** A query that cannot be planned, in the words of the API, which begin with `Error: `. */
export const invalidQuery = (message: string | Message): AppError => new AppError('invalid_query', { message })
