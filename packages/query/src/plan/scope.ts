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
import type { RestrictedQuery } from '../row-level-security.ts'
import type { Dialect } from '../sql/dialect.ts'
import type { TimeRange } from '../time-range/resolve-time-range.ts'

/** Input of a plan in addition to the query and the dataset. */
export interface PlanContext {
  /** Server's wall clock in its own time zone, as ISO text without a zone; created by `formatLocalIso`. */
  now: string
  source: Source
  encode: Encoding
  /** `rows` is replaced by the row limit of the query. */
  limits: Limits
  dialect: Dialect
  settings: QuerySettings
  resultType: ResultType
  /** Form data of the query; determines the layout of result type `post_processed`. */
  form?: Record<string, unknown> | null
  /**
   * Results of probing ad-hoc expressions, by their text. An expression that is missing here is assumed to be valid, and to be a
   * time when a grain is applied to it; `invalid` rejects a filter on it.
   */
  expressions?: ReadonlyMap<string, 'time' | 'other' | 'invalid'>
  /** Returns pages in the order in which the engine finds the rows, without tie-breakers that keep pages disjoint. */
  isUnordered?: boolean
}

/** Settings that limit a query, under their API names. */
export interface QuerySettings {
  ROW_LIMIT: number
  SQL_MAX_ROW: number
  SAMPLES_ROW_LIMIT: number
  ALLOW_ADHOC_SUBQUERY: boolean
}

/** Context shared by all parts of a statement. */
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
  /** Range for ranking the series: that of the main query, also in the query of a time offset. */
  innerRange: TimeRange
  isTimeseries: boolean
}

/** Reserved label of the time column that `is_timeseries` adds. */
export const timestampLabel = '__timestamp'

/** Error for a query that cannot be planned, with the API's message, which starts with `Error: `. */
export const invalidQuery = (message: string | Message): AppError => new AppError('invalid_query', { message })
