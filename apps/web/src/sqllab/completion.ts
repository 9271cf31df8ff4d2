import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'

export interface KnownTable {
  name: string
  columns: readonly { name: string; type: string }[] | undefined
}

const keywords =
  'SELECT FROM WHERE GROUP BY ORDER HAVING LIMIT OFFSET JOIN LEFT RIGHT FULL INNER CROSS ON USING AS WITH UNION ALL DISTINCT CASE WHEN THEN ELSE END AND OR NOT IN IS NULL LIKE ILIKE BETWEEN EXISTS CAST ASC DESC OVER PARTITION INTERVAL TRUE FALSE'.split(
    ' ',
  )
const functions =
  'count sum avg min max median coalesce nullif round abs floor ceil lower upper length substring trim replace concat date_trunc extract now current_date row_number rank dense_rank lag lead first_value last_value'.split(
    ' ',
  )

/** Boosts in the order of the reference's scores: keyword 100, function 90, table 55, column 50. */
const boosts = { keyword: 20, function: 10, table: 40, column: 60 }
const bare = /^[A-Za-z_][A-Za-z0-9_]*$/
const quoted = (name: string): string => (bare.test(name) ? name : `"${name.replaceAll('"', '""')}"`)

const columnsOf = ({ name, columns = [] }: KnownTable): Completion[] =>
  columns.map((column) => ({
    label: column.name,
    apply: quoted(column.name),
    type: 'property',
    detail: `${column.type} · ${name}`,
    boost: boosts.column,
  }))

/** Name or alias -> table, for every table that the text reads. */
export function tablesIn(sql: string, tables: readonly KnownTable[]): Map<string, KnownTable> {
  const found = new Map<string, KnownTable>()
  const reads =
    /\b(?:from|join)\s+"?([\w.]+)"?(?:\s+(?:as\s+)?(?!on\b|where\b|join\b|left\b|right\b|inner\b|cross\b|full\b|group\b|order\b|limit\b|using\b)([a-z_]\w*))?/gi
  for (const [, path = '', alias] of sql.matchAll(reads)) {
    const table = tables.find(({ name }) => name.toLowerCase() === path.split('.').at(-1)?.toLowerCase())
    if (!table) continue
    found.set(table.name.toLowerCase(), table)
    if (alias) found.set(alias.toLowerCase(), table)
  }
  return found
}

/**
 * Completion of tables, columns, functions and keywords. After `name.` the columns of that table or alias; else the columns of the
 * tables that the text reads come first.
 * @param wanted  is told which tables' columns are missing, so that they can be fetched
 */
export const completeSql =
  (tables: () => readonly KnownTable[], wanted: (names: readonly string[]) => void) =>
  (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(/[\w"]*$/)
    const sql = context.state.doc.toString()
    const read = tablesIn(sql, tables())
    wanted([...new Set([...read.values()].filter(({ columns }) => !columns).map(({ name }) => name))])
    const before = context.matchBefore(/([A-Za-z_]\w*)\.\w*$/)
    if (before) {
      const [owner = ''] = before.text.split('.')
      const table =
        read.get(owner.toLowerCase()) ?? tables().find(({ name }) => name.toLowerCase() === owner.toLowerCase())
      if (!table) return null
      return { from: before.from + owner.length + 1, options: columnsOf(table), validFor: /^\w*$/ }
    }
    if (!word || (word.from === word.to && !context.explicit)) return null
    const options: Completion[] = [
      ...[...new Set(read.values())].flatMap(columnsOf),
      ...tables().map(({ name }): Completion => ({
        label: name,
        apply: quoted(name),
        type: 'class',
        detail: 'table',
        boost: boosts.table,
      })),
      ...keywords.map((label): Completion => ({ label, type: 'keyword', boost: boosts.keyword })),
      ...functions.map((label): Completion => ({
        label,
        apply: `${label}(`,
        type: 'function',
        boost: boosts.function,
      })),
    ]
    return { from: word.from, options, validFor: /^\w*$/ }
  }
