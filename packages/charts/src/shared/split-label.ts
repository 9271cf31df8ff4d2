import type { Column } from '@parquetry/frame'

/**
 * Returns the parts of a flattened label. A response without them (`label_map` absent) is split at `, ` if that gives one part
 * per dimension, with or without a metric first; otherwise the label is one part.
 */
export function splitLabel(column: Column, dimensions: number): string[] {
  if (column.parts) return column.parts
  if (dimensions === 0) return [column.name]
  const parts = column.name.split(', ')
  return parts.length === dimensions || parts.length === dimensions + 1 ? parts : [column.name]
}
