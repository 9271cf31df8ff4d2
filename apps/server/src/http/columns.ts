/** Splits a whitespace-separated list of names. */
export const splitNames = (text: string): string[] => text.trim().split(/\s+/)

/** Label of a column in the API: `changed_by.first_name` -> `Changed By First Name`. */
export const formatColumnLabel = (column: string): string =>
  column.replaceAll(/[._]/g, ' ').replaceAll(/[a-z]+/gi, (word) => word[0]?.toUpperCase() + word.slice(1))

/** Labels of the columns of our resources, which are few: every list contains those of its columns. */
const knownLabels = new Map<string, string>()

function findLabel(column: string): string {
  const label = knownLabels.get(column) ?? formatColumnLabel(column)
  knownLabels.set(column, label)
  return label
}

/** @param columns  names of our own, never of a request */
export const buildLabels = (columns: readonly string[], labels: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries([...columns].sort().map((column) => [column, labels[column] ?? findLabel(column)]))

/** Requested parts by head of the column: `owners.id` is the part `id` of `owners`; null requests the whole value. */
export type ColumnSelection = Map<string, Set<string> | null>

export function parseSelection(columns: readonly string[]): ColumnSelection {
  const selection: ColumnSelection = new Map()
  for (const column of columns) {
    const dot = column.indexOf('.')
    const name = dot < 0 ? column : column.slice(0, dot)
    const nested = selection.get(name)
    if (dot < 0) {
      if (nested === undefined) selection.set(name, null)
    } else if (nested) nested.add(column.slice(dot + 1))
    else selection.set(name, new Set([column.slice(dot + 1)]))
  }
  return selection
}

/** Returns the requested columns that are allowed, in the order of the allowed ones; all of them when none is left. */
export function chosenColumns(allowed: readonly string[], requested: readonly string[] | undefined): readonly string[] {
  if (!requested || requested.length === 0) return allowed
  const requestedNames = new Set(requested)
  const selected = allowed.filter(
    (column) => requestedNames.has(column) || requestedNames.has(column.split('.')[0] as string),
  )
  return selected.length > 0 ? selected : allowed
}

/** Selects parts of an object or of each object in a list, or the value itself when the whole is requested. */
export function pickFields(value: unknown, parts: ReadonlySet<string> | null): unknown {
  if (parts === null || value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item) => pickFields(item, parts))
  const fields = value as Record<string, unknown>
  return Object.fromEntries([...parts].map((part) => [part, Object.hasOwn(fields, part) ? fields[part] : null]))
}
