import type pg from 'pg'

/** A statement that the client gives up when it is not answered in time; undefined: it waits. */
export function limitedQuery(
  text: string,
  values: readonly unknown[],
  withinMs: number | undefined,
): pg.QueryConfig<unknown[]> {
  return { text, values: [...values], ...(withinMs !== undefined && { query_timeout: withinMs }) }
}
