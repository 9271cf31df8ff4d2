import type { RunHeader } from '@parquetry/model/plan'
import { genericOf } from './cells.ts'
import type { Frame } from './frame.ts'

/**
 * Columns as listed in the response envelope. The API reports a duplicate name as text, whatever the column contains (recorded:
 * geohash_encode beside the columns that it read).
 */
export function describeFrame({ columns }: Pick<Frame, 'columns'>): RunHeader['columns'] {
  const seen = new Set<string>()
  const duplicates = new Set<string>()
  for (const { name } of columns) (seen.has(name) ? duplicates : seen).add(name)
  return columns.map((column) => ({
    name: column.name,
    type: column.type,
    kind: column.kind,
    generic: duplicates.has(column.name) ? 1 : genericOf(column),
  }))
}
