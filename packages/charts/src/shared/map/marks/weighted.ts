import { numberAt, type Frame } from '@parquetry/frame'
import { findColumn } from '../../column.ts'
import type { CellsLayer, ClustersLayer, HeatLayer } from '../layers.ts'
import type { LayerMarks, WeightedMarks } from './kinds.ts'
import { readWeightedPoints } from './read.ts'

/** Builds marks that are aggregated while drawing. */
export const weightedMarksBuilder =
  (kind: WeightedMarks['kind']) =>
  (layer: HeatLayer | CellsLayer | ClustersLayer, frame: Frame): LayerMarks => {
    const weight = layer.kind === 'clusters' ? (layer.label?.column ?? null) : layer.weight
    const { left, rows, positions, weights } = readWeightedPoints(frame, layer.at, weight)
    const inks = 'ink' in layer ? [layer.ink] : []
    const sized =
      layer.kind === 'clusters' && 'column' in layer.pointRadius && findColumn(frame, layer.pointRadius.column)
    const radii = sized ? Float32Array.from(rows, (row) => numberAt(sized, row) ?? 0) : null
    return { left, marks: [{ kind, layer, inks, rows, positions, weights, radii }] }
  }
