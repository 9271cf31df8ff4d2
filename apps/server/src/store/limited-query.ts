import type pg from 'pg'

/** A statement that the client abandons without a response in time; undefined: no limit. */
export function limitedQuery(
  text: string,
  values: readonly unknown[],
  withinMs: number | undefined,
): pg.QueryConfig<unknown[]> {
  return { text, values: [...values], ...(withinMs !== undefined && { query_timeout: withinMs }) }
}
