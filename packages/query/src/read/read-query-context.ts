import { AppError, resultTypes, type Extras, type QueryContext, type QueryObject } from '@parquetry/model'
import { pythonText } from './python-text.ts'
import { extrasFields, queryObject } from './query-object-reader.ts'
import {
  any,
  enumeration,
  integer,
  isObject,
  list,
  nullable,
  object,
  oneOf,
  boolean,
  type Problem,
  type Reader,
} from './readers.ts'

/** Maximum queries per request: no chart has nearly as many, and each occupies a database. */
const maxQueries = 100

const uuid = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i

/** Accepts a number, or the UUID of the dataset. */
const datasourceId: Reader = (value) => (typeof value === 'string' && uuid.test(value) ? { value } : integer(value))

const fields: Record<string, Reader> = {
  datasource: object(
    { id: datasourceId, type: oneOf(['sl_table', 'table', 'dataset', 'query', 'saved_query', 'view']) },
    ['id'],
  ),
  queries: list(queryObject, { most: maxQueries }),
  force: nullable(boolean),
  result_format: nullable(enumeration(['csv', 'json', 'xlsx', 'parquet'])),
  result_type: nullable(enumeration(resultTypes)),
  form_data: nullable(any),
  custom_cache_timeout: nullable(integer),
}
const body = object(fields, ['datasource', 'queries'], { isClosed: true })

/**
 * Parses the body of `POST /api/v1/chart/data`: validates each field and moves old spellings of a query object to their present
 * fields. Unknown fields are rejected, except those of a query object, which are preserved.
 * @param given the parsed JSON, not validated
 * @throws AppError `invalid_query` with the API's text, `Request is incorrect: {'queries': {0: ...}}`
 */
export function readQueryContext(given: unknown): QueryContext {
  const read = body(given)
  if ('problem' in read) throw incorrect(read.problem)
  const context = read.value as QueryContext
  if (context.datasource.type === undefined) throw incorrect({ _schema: ['Request is incorrect'] })
  return { ...context, queries: context.queries.map(toCurrentFields) }
}

/**
 * Parses the saved context of a chart: same as `readQueryContext`, but unknown fields are dropped instead of rejected, so that no
 * document blocks its chart.
 */
export function readSavedContext(given: unknown): QueryContext {
  if (!isObject(given)) return readQueryContext(given)
  const known = pickKnownFields(given, fields)
  const queries = given['queries']
  if (Array.isArray(queries))
    known['queries'] = queries.map((query: unknown) =>
      isObject(query) && isObject(query['extras'])
        ? { ...query, extras: pickKnownFields(query['extras'], extrasFields) }
        : query,
    )
  return readQueryContext(known)
}

const pickKnownFields = (given: Record<string, unknown>, known: Record<string, Reader>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(known, name)))

/** Reports a problem of the whole request as such, wherever it was found. */
function incorrect(problem: Problem): AppError {
  const isSchemaError = JSON.stringify(problem).includes('"_schema":["Request is incorrect"]')
  const reported = isSchemaError ? { _schema: ['Request is incorrect'] } : problem
  return new AppError('invalid_query', { message: `Request is incorrect: ${pythonText(reported)}` })
}

type LegacyFields = Partial<
  Record<'groupby' | 'granularity_sqla' | 'timeseries_limit' | 'timeseries_limit_metric', unknown>
> &
  Partial<Record<'where' | 'having', string | null>>

/** An old field with a value takes precedence over its present name. */
function toCurrentFields(given: QueryObject): QueryObject {
  const { groupby, granularity_sqla, timeseries_limit, timeseries_limit_metric, where, having, ...query } =
    given as QueryObject & LegacyFields
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
