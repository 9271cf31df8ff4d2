/** Table functions that compute only from the rows passed to them; `TABLE` is the keyword around them. */
export const trinoTableFunctions: ReadonlySet<string> = new Set([
  'table',
  'sequence',
  'exclude_columns',
  'unnest',
  'json_table',
])

/**
 * Table functions of connectors, wherever they are named: they send text unchanged to another database, or read tables that the
 * text does not name. Functions of the AI connector call an external server.
 */
export const trinoForbidden = /^(query|raw_query|procedure|sheet|table_changes|ai_.*)$/
