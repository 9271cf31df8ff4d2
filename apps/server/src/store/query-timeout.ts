import type pg from 'pg'

/** A statement that the client gives up if there is no response within `timeoutMs`; undefined: no timeout. */
export function withQueryTimeout(
  text: string,
  values: readonly unknown[],
  timeoutMs: number | undefined,
): pg.QueryConfig<unknown[]> {
  return { text, values: [...values], ...(timeoutMs !== undefined && { query_timeout: timeoutMs }) }
}
