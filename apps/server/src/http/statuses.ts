import { errorCodes, type RouteContract } from '@parquetry/model'

/** Statuses of the errors that a route declares, and of those that every route of its kind may return. */
export function listErrorStatuses({
  can,
  fails,
  errorStatuses = [],
  body,
  params,
  method,
  rate,
  rison,
}: RouteContract): number[] {
  const changes = method !== 'GET'
  return [
    ...new Set([
      400,
      429,
      503,
      431,
      // A bearer token that is malformed or forged is 422.
      ...(can === 'anyone' ? [] : [401, 403, 422]),
      ...(params ? [404] : []),
      ...(body === 'none' ? [] : [413, 415, 422]),
      // A list in `q` has more entries than a statement accepts.
      ...(rison ? [413] : []),
      ...(changes ? [422, 507] : []),
      ...(method === 'PUT' ? [409] : []),
      // The file of a table is damaged.
      ...(rate === 'query' ? [410] : []),
      ...fails.map((code) => errorCodes[code].status),
      ...errorStatuses,
    ]),
  ].toSorted((a, b) => a - b)
}
