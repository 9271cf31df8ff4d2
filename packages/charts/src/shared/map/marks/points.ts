import { numberAt, type Frame } from '@parquetry/frame'
import { columnNamed } from '../../column.ts'
import type { PointsLayer } from '../layers.ts'
import type { Made } from './kinds.ts'
import { colored, pairsAt, placed } from './read.ts'

export function points(layer: PointsLayer, frame: Frame, hidden: ReadonlySet<string>): Made {
  const { rows: all, positions } = placed(frame, layer.at)
  const { inks, ink, kept } = colored(layer.inks, frame, all, hidden)
  const rows = kept.map((at) => all[at]!)
  const sized = 'column' in layer.size ? columnNamed(frame, layer.size.column) : undefined
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
        positions: pairsAt(positions, kept),
        radii,
        unit: 'meters',
        least: layer.least,
        most: layer.most,
      },
    ],
  }
}
