import { cellAt, type Frame } from '@parquetry/frame'
import { labelOfColumn, labelOfMetric, type QueryColumn, type QueryMetric } from '@parquetry/model'
import type { Look } from '../../define.ts'
import { columnNamed } from '../column.ts'
import { finiteAt, nameIn, type Item } from '../items.ts'

/** Each row as a place with its number, and the size of its bubble; none where the answer lacks the metric. */
export function itemsOf(
  frame: Frame,
  { entity, metric, second }: { entity: QueryColumn; metric: QueryMetric; second?: QueryMetric | null | undefined },
  look: Look,
): (Item & { size: number | null })[] {
  const names = columnNamed(frame, labelOfColumn(entity))
  const values = columnNamed(frame, labelOfMetric(metric))
  const sizes = second ? columnNamed(frame, labelOfMetric(second)) : undefined
  if (!names || !values) return []
  const nameOf = nameIn(look, 'smart_date')
  return Array.from({ length: frame.rows }, (_, row) => {
    const cell = cellAt(names, row)
    return {
      name: nameOf(names, cell),
      key: { [names.name]: cell },
      value: finiteAt(values, row),
      size: sizes ? finiteAt(sizes, row) : null,
    }
  })
}
