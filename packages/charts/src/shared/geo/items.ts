import { cellAt, type Frame } from '@parquetry/frame'
import { labelOfColumn, labelOfMetric, type QueryColumn, type QueryMetric } from '@parquetry/model'
import type { SpecContext } from '../../define.ts'
import { findColumn } from '../column.ts'
import { finiteAt, dimensionFormatter, type Item } from '../items.ts'

/** Returns each row as a region with its value and the size of its bubble; empty when the response lacks the metric. */
export function buildGeoItems(
  frame: Frame,
  { entity, metric, second }: { entity: QueryColumn; metric: QueryMetric; second?: QueryMetric | null | undefined },
  context: SpecContext,
): (Item & { size: number | null })[] {
  const names = findColumn(frame, labelOfColumn(entity))
  const values = findColumn(frame, labelOfMetric(metric))
  const sizes = second ? findColumn(frame, labelOfMetric(second)) : undefined
  if (!names || !values) return []
  const nameOf = dimensionFormatter(context, 'smart_date')
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
