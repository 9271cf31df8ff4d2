import type { InspectedStatement } from '@parquetry/model'

export type LimitingFactor = 'QUERY' | 'DROPDOWN' | 'QUERY_AND_DROPDOWN' | 'NOT_LIMITED' | 'UNKNOWN'

/**
 * The row limit of one statement: the smaller of its own and the asked one.
 * @param asked  `queryLimit`; 0, negative or absent means the most that the server gives
 */
export function limitOf(
  statement: Pick<InspectedStatement, 'ownLimit'> | undefined,
  asked: number | null | undefined,
  most: number,
): { limit: number; factor: LimitingFactor } {
  const chosen = Math.min(asked && asked > 0 ? asked : most, most)
  const own = statement?.ownLimit ?? null
  if (own === null || own > chosen) return { limit: chosen, factor: 'DROPDOWN' }
  if (own === chosen) return { limit: chosen, factor: 'QUERY_AND_DROPDOWN' }
  return { limit: own, factor: 'QUERY' }
}

/** After the run: fewer rows than the limit means that nothing was limited. */
export const factorAfter = (factor: LimitingFactor, rows: number, limit: number): LimitingFactor =>
  rows < limit ? 'NOT_LIMITED' : factor
