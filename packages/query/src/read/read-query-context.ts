import { AppError, resultTypes, type Extras, type QueryContext, type QueryObject } from '@parquetry/model'
import { pythonText } from './python-text.ts'
import { queryObject } from './query-object-reader.ts'
import {
  any,
  enumeration,
  integer,
  list,
  nullable,
  object,
  oneOf,
  text,
  truth,
  type Problem,
  type Reader,
} from './readers.ts'

/** Of one call: no chart asks nearly as many, and each occupies a database. */
const mostQueries = 100

/** A number, or the uuid of the dataset. */
const datasourceId: Reader = (value) =>
  typeof value === 'string' && !/^\d+$/.test(value) ? text(value) : integer(value)

const body = object(
  {
    datasource: object(
      { id: datasourceId, type: oneOf(['sl_table', 'table', 'dataset', 'query', 'saved_query', 'view']) },
      ['id'],
    ),
    queries: list(queryObject, { most: mostQueries }),
    force: nullable(truth),
    result_format: nullable(enumeration(['csv', 'json', 'xlsx'])),
    result_type: nullable(enumeration(resultTypes)),
    form_data: nullable(any),
    custom_cache_timeout: nullable(integer),
  },
  ['datasource', 'queries'],
)

/**
 * The body of `POST /api/v1/chart/data` as it is meant: checked field by field, with the old spellings of a query object put
 * into their present fields. Fields that are not known are kept.
 * @param given the parsed JSON, nothing checked
 * @throws AppError `invalid_query` with the API's text, `Request is incorrect: {'queries': {0: ...}}`
 */
export function readQueryContext(given: unknown): QueryContext {
  const read = body(given)
  if ('problem' in read) throw incorrect(read.problem)
  const context = read.value as QueryContext
  if (context.datasource.type === undefined) throw incorrect({ _schema: ['Request is incorrect'] })
  return { ...context, queries: context.queries.map(inPresentFields) }
}

/** A problem that belongs to the whole request is told as such, wherever it was found. */
function incorrect(problem: Problem): AppError {
  const whole = JSON.stringify(problem).includes('"_schema":["Request is incorrect"]')
  const told = whole ? { _schema: ['Request is incorrect'] } : problem
  return new AppError('invalid_query', { message: `Request is incorrect: ${pythonText(told)}` })
}

type OldFields = Partial<
  Record<'groupby' | 'granularity_sqla' | 'timeseries_limit' | 'timeseries_limit_metric', unknown>
> &
  Partial<Record<'where' | 'having', string | null>>

/** An old field that says something wins over its present name. */
function inPresentFields(given: QueryObject): QueryObject {
  const { groupby, granularity_sqla, timeseries_limit, timeseries_limit_metric, where, having, ...query } =
    given as QueryObject & OldFields
  const extras: Extras = { ...query.extras, ...(where && { where }), ...(having && { having }) }
  return {
    ...query,
    ...(Array.isArray(groupby) && groupby.length > 0 && { columns: groupby as QueryObject['columns'] }),
    ...(granularity_sqla ? { granularity: granularity_sqla as string } : {}),
    ...(timeseries_limit ? { series_limit: timeseries_limit as number } : {}),
    ...(timeseries_limit_metric
      ? { series_limit_metric: timeseries_limit_metric as QueryObject['series_limit_metric'] }
      : {}),
    ...(Object.keys(extras).length > 0 && { extras }),
  }
}
