import { numberAt, type Frame } from '@parquetry/frame'
import { findColumn } from '../../column.ts'
import type { PointsLayer } from '../layers.ts'
import type { LayerMarks } from './kinds.ts'
import { colorRows, pickPositions, readLocations } from './read.ts'

export function buildPointMarks(layer: PointsLayer, frame: Frame, hidden: ReadonlySet<string>): LayerMarks {
  const { rows: all, positions } = readLocations(frame, layer.at)
  const { inks, ink, kept } = colorRows(layer.inks, frame, all, hidden)
  const rows = kept.map((at) => all[at]!)
  const sized = 'column' in layer.size ? findColumn(frame, layer.size.column) : undefined
  const fixed = 'fixed' in layer.size ? layer.size.fixed : 0
  const radii = Float32Array.from(rows, (row) => {
    const size = Math.max(0, sized ? (numberAt(sized, row) ?? 0) : fixed)
    return (layer.isArea ? Math.sqrt(size / Math.PI) : size) * layer.unit
  })
  return {
    left: frame.rows - all.length,
    marks: [
      {
        kind: 'points',
        layer,
        inks,
        ink,
        rows,
        positions: pickPositions(positions, kept),
        radii,
        unit: 'meters',
        least: layer.least,
        most: layer.most,
      },
    ],
  }
}
