/** Splits a whitespace-separated list of names. */
export const splitNames = (text: string): string[] => text.trim().split(/\s+/)

/** Label of a column in the API: `changed_by.first_name` -> `Changed By First Name`. */
export const formatColumnLabel = (column: string): string =>
  column.replaceAll(/[._]/g, ' ').replaceAll(/[a-z]+/gi, (word) => word[0]?.toUpperCase() + word.slice(1))

export const buildLabels = (columns: readonly string[], known: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries([...columns].sort().map((column) => [column, known[column] ?? formatColumnLabel(column)]))

/** Requested parts by head of the column: `owners.id` is the part `id` of `owners`; null requests the whole value. */
export type ColumnSelection = Map<string, Set<string> | null>

export function parseSelection(columns: readonly string[]): ColumnSelection {
  const selection: ColumnSelection = new Map()
  for (const column of columns) {
    const dot = column.indexOf('.')
    const head = dot < 0 ? column : column.slice(0, dot)
    const known = selection.get(head)
    if (dot < 0) {
      if (known === undefined) selection.set(head, null)
    } else if (known) known.add(column.slice(dot + 1))
    else selection.set(head, new Set([column.slice(dot + 1)]))
  }
  return selection
}

/** Returns the requested columns that are allowed, in the order of the allowed ones; all of them when none is left. */
export function chosenColumns(allowed: readonly string[], asked: readonly string[] | undefined): readonly string[] {
  if (!asked || asked.length === 0) return allowed
  const wanted = new Set(asked)
  const chosen = allowed.filter((column) => wanted.has(column) || wanted.has(column.split('.')[0] as string))
  return chosen.length > 0 ? chosen : allowed
}

/** Selects parts of an object or of each object in a list, or the value itself when the whole is requested. */
export function pickFields(value: unknown, parts: Set<string> | null): unknown {
  if (parts === null || value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item) => pickFields(item, parts))
  const fields = value as Record<string, unknown>
  return Object.fromEntries([...parts].map((part) => [part, Object.hasOwn(fields, part) ? fields[part] : null]))
}
