import Type, { type Static } from 'typebox'
import { recordSchema } from './record-schema.ts'

/** Unknown keys of these documents are preserved and ignored. */
const open = { additionalProperties: true } as const
const nullable = <const T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const nullish = <const T extends Type.TSchema>(schema: T) => Type.Optional(nullable(schema))

/** A column defined by SQL for one chart. */
export const AdhocColumn = Type.Object(
  {
    label: Type.Optional(Type.String()),
    sqlExpression: Type.String(),
    expressionType: Type.Optional(Type.Literal('SQL')),
    /** BASE_AXIS is the x axis of the chart: the time grain applies to it, and time offsets are joined on it. */
    columnType: Type.Optional(Type.Union([Type.Literal('BASE_AXIS'), Type.Literal('SERIES')])),
    timeGrain: nullish(Type.String()),
    /** If true, `sqlExpression` is the plain name of a dataset column and not SQL. */
    isColumnReference: Type.Optional(Type.Boolean()),
  },
  open,
)
export type AdhocColumn = Static<typeof AdhocColumn>

/** A dataset column by name, or an expression. */
export const QueryColumn = Type.Union([Type.String(), AdhocColumn])
export type QueryColumn = Static<typeof QueryColumn>

/** Aggregates of a simple metric, as the API spells them. */
export const aggregates = ['AVG', 'COUNT', 'COUNT_DISTINCT', 'MAX', 'MIN', 'SUM'] as const

/**
 * A metric defined for one chart: SIMPLE has `column` and `aggregate`, SQL has `sqlExpression`. `between` of SIMPLE is a
 * Parquetry extension: it includes only values from the first number (inclusive) to the second (exclusive); null is an open end.
 */
export const AdhocMetric = Type.Object(
  {
    expressionType: Type.Union([Type.Literal('SIMPLE'), Type.Literal('SQL')]),
    label: nullish(Type.String()),
    hasCustomLabel: nullish(Type.Boolean()),
    optionName: nullish(Type.String()),
    column: nullish(Type.Object({ column_name: Type.Optional(Type.String()), type: nullish(Type.String()) }, open)),
    aggregate: nullish(Type.String()),
    between: nullish(Type.Tuple([nullable(Type.Number()), nullable(Type.Number())])),
    sqlExpression: nullish(Type.String()),
  },
  open,
)
export type AdhocMetric = Static<typeof AdhocMetric>

/** A saved metric by name, or an aggregate of a column, or an expression. */
export const QueryMetric = Type.Union([Type.String(), AdhocMetric])
export type QueryMetric = Static<typeof QueryMetric>

/**
 * A filter condition. `op` is an operator of the API (`==`, `IN`, `TEMPORAL_RANGE`), or `NOT REGEX` as a Parquetry extension; `grain`
 * applies only to times. `isExact` is
 * a Parquetry extension: texts are compared as they are, so that `<NULL>`, `<empty string>` and text with line breaks at its ends
 * can be found.
 */
export const QueryFilter = Type.Object(
  {
    col: QueryColumn,
    op: Type.String(),
    val: Type.Optional(Type.Unknown()),
    grain: nullish(Type.String()),
    isExtra: nullish(Type.Boolean()),
    isExact: nullish(Type.Boolean()),
  },
  open,
)
export type QueryFilter = Static<typeof QueryFilter>

/** Custom SQL in addition to the filters, and the grain of the time axis (ISO duration). */
export const Extras = Type.Object(
  {
    where: nullish(Type.String()),
    having: nullish(Type.String()),
    time_grain_sqla: nullish(Type.String()),
    relative_start: nullish(Type.String()),
    relative_end: nullish(Type.String()),
  },
  open,
)
export type Extras = Static<typeof Extras>

/** Supported operations, in the order in which error messages list them. */
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

/** One post-processing step over the whole result, implemented in `packages/frame/src/post-processing`. */
export const PostProcessing = Type.Object(
  { operation: Type.String(), options: nullish(recordSchema(Type.Unknown())) },
  open,
)
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

/** One query. Fields that are omitted or null default to those of the dataset or the settings. */
export const QueryObject = Type.Object(
  {
    columns: nullish(Type.Array(QueryColumn)),
    metrics: nullish(Type.Array(QueryMetric)),
    filters: nullish(Type.Array(QueryFilter)),
    extras: nullish(Extras),
    /**
     * A Parquetry extension: `extras.having` selects groups by these columns instead of those of the result, which then includes
     * only rows of the selected groups. The totals of a list have the columns of its rows here.
     */
    having_columns: nullish(Type.Array(QueryColumn)),
    time_range: nullish(Type.String()),
    granularity: nullish(Type.String()),
    is_timeseries: nullish(Type.Boolean()),
    orderby: nullish(Type.Array(Type.Unknown())),
    order_desc: nullish(Type.Boolean()),
    row_limit: nullish(Type.Integer()),
    row_offset: nullish(Type.Integer()),
    series_columns: nullish(Type.Array(QueryColumn)),
    series_limit: nullish(Type.Integer()),
    /** Groups series beyond the limit as `Others`; otherwise their rows are dropped. */
    group_others_when_limit_reached: nullish(Type.Boolean()),
    series_limit_metric: nullish(QueryMetric),
    post_processing: nullish(Type.Array(nullable(PostProcessing))),
    time_offsets: nullish(Type.Array(Type.String())),
    time_shift: nullish(Type.String()),
    annotation_layers: nullish(Type.Array(Type.Unknown())),
    applied_time_extras: nullish(recordSchema(Type.Unknown())),
    apply_fetch_values_predicate: nullish(Type.Boolean()),
    is_rowcount: nullish(Type.Boolean()),
    url_params: nullish(recordSchema(Type.Unknown())),
    result_type: nullish(Type.String()),
  },
  open,
)
export type QueryObject = Static<typeof QueryObject>

/**
 * Body of `POST /api/v1/chart/data`: queries on one dataset, with results in the same order. Null means "not given";
 * `readQueryContext` accepts the old spellings.
 */
export const QueryContext = Type.Object(
  {
    datasource: Type.Object(
      { id: Type.Union([Type.Integer(), Type.String()]), type: Type.Optional(Type.String()) },
      open,
    ),
    queries: Type.Array(QueryObject),
    force: nullish(Type.Boolean()),
    result_format: nullish(Type.String()),
    result_type: nullish(Type.String()),
    form_data: nullish(recordSchema(Type.Unknown())),
    custom_cache_timeout: nullish(Type.Integer()),
  },
  open,
)
export type QueryContext = Static<typeof QueryContext>
