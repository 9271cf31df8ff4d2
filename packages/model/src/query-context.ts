import Type, { type Static } from 'typebox'
import { recordOf } from './record-of.ts'

/** The documents here are open: unknown keys are kept and ignored. */
const open = { additionalProperties: true } as const
const nullable = <const T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const maybe = <const T extends Type.TSchema>(schema: T) => Type.Optional(nullable(schema))

/** A column made for one chart out of SQL. */
export const AdhocColumn = Type.Object(
  {
    label: Type.Optional(Type.String()),
    sqlExpression: Type.String(),
    expressionType: Type.Optional(Type.Literal('SQL')),
    /** BASE_AXIS is the x axis of the chart: it takes the time grain, and time offsets are joined on it. */
    columnType: Type.Optional(Type.Union([Type.Literal('BASE_AXIS'), Type.Literal('SERIES')])),
    timeGrain: maybe(Type.String()),
    /** True: `sqlExpression` is the plain name of a column of the dataset and is not read as SQL. */
    isColumnReference: Type.Optional(Type.Boolean()),
  },
  open,
)
export type AdhocColumn = Static<typeof AdhocColumn>

/** A column of the dataset by name, or an expression. */
export const QueryColumn = Type.Union([Type.String(), AdhocColumn])
export type QueryColumn = Static<typeof QueryColumn>

/** Aggregates of a simple metric, as the API spells them. */
export const aggregates = ['AVG', 'COUNT', 'COUNT_DISTINCT', 'MAX', 'MIN', 'SUM'] as const

/**
 * A metric made for one chart: SIMPLE has `column` and `aggregate`, SQL has `sqlExpression`. Our own `between` is of SIMPLE: only values from
 * the first number on and below the second count; null leaves that end open.
 */
export const AdhocMetric = Type.Object(
  {
    expressionType: Type.Union([Type.Literal('SIMPLE'), Type.Literal('SQL')]),
    label: maybe(Type.String()),
    hasCustomLabel: maybe(Type.Boolean()),
    optionName: maybe(Type.String()),
    column: maybe(Type.Object({ column_name: Type.Optional(Type.String()), type: maybe(Type.String()) }, open)),
    aggregate: maybe(Type.String()),
    between: maybe(Type.Tuple([nullable(Type.Number()), nullable(Type.Number())])),
    sqlExpression: maybe(Type.String()),
  },
  open,
)
export type AdhocMetric = Static<typeof AdhocMetric>

/** A saved metric by name, or an aggregate of a column, or an expression. */
export const QueryMetric = Type.Union([Type.String(), AdhocMetric])
export type QueryMetric = Static<typeof QueryMetric>

/** One condition; `op` is an operator of the API (`==`, `IN`, `TEMPORAL_RANGE`), `grain` belongs to a time only. */
export const QueryFilter = Type.Object(
  {
    col: QueryColumn,
    op: Type.String(),
    val: Type.Optional(Type.Unknown()),
    grain: maybe(Type.String()),
    isExtra: maybe(Type.Boolean()),
  },
  open,
)
export type QueryFilter = Static<typeof QueryFilter>

/** SQL of people beside the filters, and the grain of the time axis (ISO duration). */
export const Extras = Type.Object(
  {
    where: maybe(Type.String()),
    having: maybe(Type.String()),
    time_grain_sqla: maybe(Type.String()),
    relative_start: maybe(Type.String()),
    relative_end: maybe(Type.String()),
  },
  open,
)
export type Extras = Static<typeof Extras>

/** Operations that a query may name, in the order in which a refusal lists them. */
export const postProcessingOperations = [
  'aggregate',
  'boxplot',
  'compare',
  'contribution',
  'cum',
  'diff',
  'escape_separator',
  'flatten',
  'geodetic_parse',
  'geohash_decode',
  'geohash_encode',
  'histogram',
  'pivot',
  'prophet',
  'rank',
  'rename',
  'resample',
  'rolling',
  'select',
  'sort',
  'unescape_separator',
] as const

/** One step over the whole result: `packages/frame/src/post-processing` carries it out. */
export const PostProcessing = Type.Object({ operation: Type.String(), options: maybe(recordOf(Type.Unknown())) }, open)
export type PostProcessing = Static<typeof PostProcessing>

export const resultTypes = [
  'full',
  'results',
  'query',
  'samples',
  'columns',
  'timegrains',
  'post_processed',
  'drill_detail',
] as const
export type ResultType = (typeof resultTypes)[number]

/** One question. What is left out or null has the default of its dataset or of the settings. */
export const QueryObject = Type.Object(
  {
    columns: maybe(Type.Array(QueryColumn)),
    metrics: maybe(Type.Array(QueryMetric)),
    filters: maybe(Type.Array(QueryFilter)),
    extras: maybe(Extras),
    time_range: maybe(Type.String()),
    granularity: maybe(Type.String()),
    is_timeseries: maybe(Type.Boolean()),
    orderby: maybe(Type.Array(Type.Unknown())),
    order_desc: maybe(Type.Boolean()),
    row_limit: maybe(Type.Integer()),
    row_offset: maybe(Type.Integer()),
    series_columns: maybe(Type.Array(QueryColumn)),
    series_limit: maybe(Type.Integer()),
    /** Series beyond the limit are put together as `Others`; without it their rows are left out. */
    group_others_when_limit_reached: maybe(Type.Boolean()),
    series_limit_metric: maybe(QueryMetric),
    post_processing: maybe(Type.Array(nullable(PostProcessing))),
    time_offsets: maybe(Type.Array(Type.String())),
    time_shift: maybe(Type.String()),
    annotation_layers: maybe(Type.Array(Type.Unknown())),
    applied_time_extras: maybe(recordOf(Type.Unknown())),
    apply_fetch_values_predicate: maybe(Type.Boolean()),
    is_rowcount: maybe(Type.Boolean()),
    url_params: maybe(recordOf(Type.Unknown())),
    result_type: maybe(Type.String()),
  },
  open,
)
export type QueryObject = Static<typeof QueryObject>

/**
 * The body of `POST /api/v1/chart/data`: questions over one dataset, answered in their order. Nulls stand for "not given";
 * `readQueryContext` knows the old spellings.
 */
export const QueryContext = Type.Object(
  {
    datasource: Type.Object(
      { id: Type.Union([Type.Integer(), Type.String()]), type: Type.Optional(Type.String()) },
      open,
    ),
    queries: Type.Array(QueryObject),
    force: maybe(Type.Boolean()),
    result_format: maybe(Type.String()),
    result_type: maybe(Type.String()),
    form_data: maybe(recordOf(Type.Unknown())),
    custom_cache_timeout: maybe(Type.Integer()),
  },
  open,
)
export type QueryContext = Static<typeof QueryContext>
