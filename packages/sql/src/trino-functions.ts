/** Table functions that compute and read nothing but the rows that they are given; `TABLE` is the word around them. */
export const trinoTableFunctions: ReadonlySet<string> = new Set([
  'table',
  'sequence',
  'exclude_columns',
  'unnest',
  'json_table',
])

/**
 * Table functions of connectors wherever they are named: they send a text to another database as it stands, or read tables
 * that the text does not name. Functions of the AI connector ask a server outside.
 */
export const trinoForbidden = /^(query|raw_query|procedure|sheet|table_changes|ai_.*)$/
