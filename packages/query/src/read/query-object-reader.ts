import { postProcessingOperations, resultTypes } from '@parquetry/model'
import {
  any,
  atLeastZero,
  dictionary,
  enumeration,
  integer,
  isObject,
  list,
  nullable,
  object,
  oneOf,
  text,
  boolean,
  tuple,
  type Reader,
} from './readers.ts'

const operators =
  '==, !=, >, <, >=, <=, LIKE, ILIKE, IS NULL, IS NOT NULL, IN, NOT IN, REGEX, IS TRUE, IS FALSE, TEMPORAL_RANGE'.split(
    ', ',
  )
/** Operators of later releases and of Parquetry, which the recorded release and its error message do not know. */
const laterOperators = ['NOT LIKE', 'NOT REGEX']

/** All grains that a query may name; the dialect of an engine determines which are supported. */
const grains = [
  ...'PT1S PT5S PT30S PT1M PT5M PT10M PT15M PT30M PT1H PT6H P1D P1W P1M P3M P1Y'.split(' '),
  ...'1969-12-28T00:00:00Z/P1W 1969-12-29T00:00:00Z/P1W P1W/1970-01-03T00:00:00Z P1W/1970-01-04T00:00:00Z'.split(' '),
]

/** Each of these adds planning cost, and no real chart comes close. */
const maxColumns = 2000
const maxParts = 1000
const maxValues = 10_000
const maxExtras = 100

const values: Reader = (value) => (Array.isArray(value) ? list(any, { most: maxValues })(value) : any(value))

/** Accepts a name, or an object with a label or an expression as its name. */
const column: Reader = (value) => {
  if (!isObject(value)) return text(value)
  const named = [value['label'], value['sqlExpression']].find((one) => one !== undefined && one !== null)
  return typeof named === 'string' ? { value } : { problem: { label: ['Missing data for required field.'] } }
}

/** Also accepts saved metrics of old clients: an object with only a label. */
const metric: Reader = (value) => {
  if (!isObject(value) || 'expressionType' in value) return isObject(value) ? adhocMetric(value) : text(value)
  return typeof value['label'] === 'string'
    ? { value: value['label'] }
    : { problem: { _schema: ['Request is incorrect'] } }
}
const adhocMetric = object({ label: nullable(text), sqlExpression: nullable(text), aggregate: nullable(text) })

const filter = object(
  {
    col: column,
    op: oneOf(operators, { anyCase: true, unlisted: laterOperators }),
    val: nullable(values),
    grain: nullable(text),
    isExtra: nullable(boolean),
    isExact: nullable(boolean),
  },
  ['col', 'op'],
)

/** The last four are those of older and later releases. */
export const extrasFields: Record<string, Reader> = {
  where: nullable(text),
  having: nullable(text),
  time_grain_sqla: nullable(oneOf(grains)),
  relative_start: nullable(oneOf(['today', 'now'])),
  relative_end: nullable(oneOf(['today', 'now'])),
  having_druid: any,
  druid_time_origin: any,
  instant_time_comparison_range: any,
  column_order: any,
}
const extras = object(extrasFields, [], { isClosed: true })

/** Filters that a layer overlays on another chart. A hundred layers may share them, and each layer is queried with all. */
const overlayReader: Reader = (value) => (Array.isArray(value) ? list(any, { most: maxParts })(value) : any(value))
const overrides = object({ adhoc_filters: overlayReader, filters: overlayReader })

const annotationLayer = object(
  {
    overrides: (value) => (isObject(value) ? overrides(value) : any(value)),
    annotationType: oneOf(['FORMULA', 'INTERVAL', 'EVENT', 'TIME_SERIES']),
    sourceType: oneOf(['', 'line', 'NATIVE', 'table']),
    name: text,
    show: boolean,
    showMarkers: boolean,
  },
  ['name', 'show', 'showMarkers', 'value'],
)

/** Fields of a query object by their API names, including the old spellings. */
export const queryObject: Reader = object({
  result_type: nullable(enumeration(resultTypes)),
  annotation_layers: nullable(list(annotationLayer, { most: maxExtras })),
  applied_time_extras: nullable(dictionary),
  apply_fetch_values_predicate: nullable(boolean),
  columns: nullable(list(column, { most: maxColumns })),
  groupby: nullable(list(column, { most: maxColumns })),
  metrics: nullable(list(metric, { most: maxParts })),
  filters: nullable(list(filter, { most: maxParts })),
  extras: nullable(extras),
  having_columns: nullable(list(column, { most: maxColumns })),
  time_range: nullable(text),
  time_shift: nullable(text),
  time_offsets: nullable(list(text, { most: maxExtras })),
  granularity: nullable(text),
  granularity_sqla: nullable(text),
  is_timeseries: nullable(boolean),
  is_rowcount: nullable(boolean),
  orderby: nullable(list(tuple(orderable, boolean), { most: maxParts })),
  order_desc: nullable(boolean),
  row_limit: nullable(atLeastZero('row_limit')),
  row_offset: nullable(atLeastZero('row_offset')),
  series_columns: nullable(list(column, { most: maxColumns })),
  series_limit: nullable(integer),
  group_others_when_limit_reached: nullable(boolean),
  series_limit_metric: nullable(metric),
  timeseries_limit: nullable(integer),
  timeseries_limit_metric: nullable(metric),
  post_processing: nullable(
    list(
      nullable(object({ operation: oneOf(postProcessingOperations), options: nullable(dictionary) }, ['operation'])),
      { most: maxExtras },
    ),
  ),
  url_params: nullable(dictionary),
  where: nullable(text),
  having: nullable(text),
})

/** Accepts a name, a metric or a complete ad-hoc column. */
function orderable(value: unknown): ReturnType<Reader> {
  return isObject(value) ? { value } : text(value)
}
