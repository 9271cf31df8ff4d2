import type { Column } from '@parquetry/frame'

/**
 * Parts of a flattened label. An answer without them (`label_map` absent) is split at `, ` when that gives one part per
 * dimension, with or without a metric before them; else the label is one part.
 */
export function splitLabel(column: Column, dimensions: number): string[] {
  if (column.parts) return column.parts
  if (dimensions === 0) return [column.name]
  const parts = column.name.split(', ')
  return parts.length === dimensions || parts.length === dimensions + 1 ? parts : [column.name]
}
