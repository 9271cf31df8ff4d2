import type { SqlToken } from './tokens.ts'

/** Words before a parenthesis that do not call a function. */
const nonFunctionWords = new Set(
  `ALL AND ANY ARRAY AS BETWEEN BY CASE CHECK CUBE DEFAULT DISTINCT ELSE EXCEPT EXISTS FILTER FOR FROM GROUP HAVING IN INDEX
  INTERSECT INTERVAL INTO IS JOIN KEY LATERAL LIKE LIMIT MATERIALIZED NOT OFFSET ON OR ORDER OVER PARTITION PIVOT PREWHERE
  RETURNING ROLLUP ROW SELECT SET SETS SOME THEN TYPE UNION UNNEST UNPIVOT USING VALUES WHEN WHERE WINDOW WITH WITHIN`.split(
    /\s+/,
  ),
)

/**
 * Names that may call functions, and settings that hold SQL. They are read from the tokens and not from the tree, because a parser
 * turns functions that it knows into other nodes. A name before a column list, except after AS, counts as well, so callers may
 * reject too much.
 */
export function findFunctions(tokens: readonly SqlToken[]): string[] {
  const found = tokens.filter(
    ({ kind, text }, index) =>
      isApplied(tokens, index) ||
      holdsSql(tokens, index) ||
      (tokens[index + 1]?.kind === 'open' &&
        (kind === 'name' || (kind === 'word' && !nonFunctionWords.has(text))) &&
        tokens[index - 1]?.text !== 'AS'),
  )
  return [...new Set(found.map(({ value }) => value))]
}

/** ClickHouse calls a function for each column by its bare name: `* APPLY f`, `COLUMNS('x') APPLY (f)`. */
function isApplied(tokens: readonly SqlToken[], index: number): boolean {
  const before = tokens[index - 1]
  const isNamed = tokens[index]?.kind === 'word' || tokens[index]?.kind === 'name'
  return isNamed && (before?.kind === 'open' ? tokens[index - 2] : before)?.text === 'APPLY'
}

/** ClickHouse settings whose values are SQL in a string, which is not parsed here. */
const holdsSql = (tokens: readonly SqlToken[], index: number): boolean =>
  tokens[index + 1]?.text === '=' &&
  /^(additional_\w+|parallel_replicas_custom_key\w*)$/i.test(tokens[index]?.value ?? '')
