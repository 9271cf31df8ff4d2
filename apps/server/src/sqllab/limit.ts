import type { InspectedStatement } from '@parquetry/model'

export type LimitingFactor = 'QUERY' | 'DROPDOWN' | 'QUERY_AND_DROPDOWN' | 'NOT_LIMITED' | 'UNKNOWN'

/**
 * The row limit of one statement: the smaller of its own and the requested one.
 * @param requested  `queryLimit`; 0, negative or absent means the server's maximum
 */
export function resolveLimit(
  statement: Pick<InspectedStatement, 'ownLimit'> | undefined,
  requested: number | null | undefined,
  max: number,
): { limit: number; factor: LimitingFactor } {
  const requestedLimit = Math.min(requested && requested > 0 ? requested : max, max)
  const ownLimit = statement?.ownLimit ?? null
  if (ownLimit === null || ownLimit > requestedLimit) return { limit: requestedLimit, factor: 'DROPDOWN' }
  if (ownLimit === requestedLimit) return { limit: requestedLimit, factor: 'QUERY_AND_DROPDOWN' }
  return { limit: ownLimit, factor: 'QUERY' }
}

/**
 * The limiting factor after the run. One row more than the chosen limit is requested, so that a result with exactly as many rows
 * is known to be complete; what a limit in the SQL itself left out is not known.
 * @param isCut  whether there was a row beyond the limit
 */
export function resolveLimitingFactor(
  factor: LimitingFactor,
  { rows, isCut }: { rows: number; isCut: boolean },
  limit: number,
): LimitingFactor {
  const isLimited = factor === 'DROPDOWN' ? isCut : rows >= limit
  return isLimited ? factor : 'NOT_LIMITED'
}
