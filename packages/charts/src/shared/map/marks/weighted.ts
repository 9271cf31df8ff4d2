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
    const { rowsWithoutLocation, rows, positions, weights } = readWeightedPoints(frame, layer.location, weight)
    const colors = 'color' in layer ? [layer.color] : []
    const sized =
      layer.kind === 'clusters' && 'column' in layer.pointRadius && findColumn(frame, layer.pointRadius.column)
    const radii = sized ? Float32Array.from(rows, (row) => numberAt(sized, row) ?? 0) : null
    return { rowsWithoutLocation, marks: [{ kind, layer, colors, rows, positions, weights, radii }] }
  }
