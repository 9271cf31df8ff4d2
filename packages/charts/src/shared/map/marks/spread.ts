import { numberAt, type Frame } from '@parquetry/frame'
import { columnNamed } from '../../column.ts'
import type { CellsLayer, ClustersLayer, HeatLayer } from '../layers.ts'
import type { Made, Weighed } from './kinds.ts'
import { weighed } from './read.ts'

/** Marks of which the picture makes others. */
export const spread =
  (kind: Weighed['kind']) =>
  (layer: HeatLayer | CellsLayer | ClustersLayer, frame: Frame): Made => {
    const weight = layer.kind === 'clusters' ? (layer.label?.column ?? null) : layer.weight
    const { left, rows, positions, weights } = weighed(frame, layer.at, weight)
    const inks = 'ink' in layer ? [layer.ink] : []
    const sized =
      layer.kind === 'clusters' && 'column' in layer.pointRadius && columnNamed(frame, layer.pointRadius.column)
    const radii = sized ? Float32Array.from(rows, (row) => numberAt(sized, row) ?? 0) : null
    return { left, marks: [{ kind, layer, inks, rows, positions, weights, radii }] }
  }
