import { numberAt, type Frame } from '@parquetry/frame'
import { findColumn } from '../../column.ts'
import type { PointsLayer } from '../layers.ts'
import type { LayerMarks } from './kinds.ts'
import { colorRows, pickPositions, readLocations } from './read.ts'

export function buildPointMarks(layer: PointsLayer, frame: Frame, hidden: ReadonlySet<string>): LayerMarks {
  const { rows: all, positions } = readLocations(frame, layer.location)
  const { colors, colorIndexes, visible } = colorRows(layer.colors, frame, all, hidden)
  const rows = visible.map((index) => all[index]!)
  const sized = 'column' in layer.size ? findColumn(frame, layer.size.column) : undefined
  const fixed = 'fixed' in layer.size ? layer.size.fixed : 0
  const radii = Float32Array.from(rows, (row) => {
    const size = Math.max(0, sized ? (numberAt(sized, row) ?? 0) : fixed)
    return (layer.isArea ? Math.sqrt(size / Math.PI) : size) * layer.unit
  })
  return {
    rowsWithoutLocation: frame.rows - all.length,
    marks: [
      {
        kind: 'points',
        layer,
        colors,
        colorIndexes,
        rows,
        positions: pickPositions(positions, visible),
        radii,
        unit: 'meters',
        minRadius: layer.minRadius,
        maxRadius: layer.maxRadius,
      },
    ],
  }
}
