import type { QueryObject } from '@parquetry/model'
import { joinConditions } from './adhoc-filters.ts'
import { baseQuery } from './base-query.ts'
import { withFilters } from './extra-form-data.ts'

/**
 * Adds a dashboard's filters to a query that was stored with its chart. For charts whose type the server does not know, so that it
 * cannot build their queries from the form.
 * @param extras as for `withFilters`
 */
export function addExtras(query: QueryObject, extras: readonly Record<string, unknown>[]): QueryObject {
  if (extras.length === 0) return query
  const { filters, extras: added, time_range, granularity } = baseQuery(withFilters({}, extras))
  const join = (part: 'where' | 'having') =>
    joinConditions(
      [query.extras?.[part], added?.[part]].filter(
        (condition) => typeof condition === 'string' && condition !== '',
      ) as string[],
    )
  const [where, having] = [join('where'), join('having')]
  return {
    ...query,
    filters: [...(query.filters ?? []), ...(filters ?? [])],
    extras: { ...query.extras, ...added, ...(where && { where }), ...(having && { having }) },
    ...(time_range && { time_range }),
    ...(granularity && { granularity }),
  }
}
