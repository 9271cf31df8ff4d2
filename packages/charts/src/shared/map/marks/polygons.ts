import { numberAt, type Frame } from '@parquetry/frame'
import { findColumn } from '../../column.ts'
import type { PolygonsLayer } from '../layers.ts'
import { nestRings, type Area } from '../rings.ts'
import { closePath, createShapeReader } from '../shapes.ts'
import type { LayerMarks } from './kinds.ts'
import { colorRows } from './read.ts'

export function buildPolygonMarks(layer: PolygonsLayer, frame: Frame, hidden: ReadonlySet<string>): LayerMarks {
  const read = createShapeReader(frame, layer.shape)
  const [found, areas]: [number[], Area[]] = [[], []]
  let rowsWithoutLocation = 0
  for (let row = 0; row < frame.rows; row++) {
    const own = nestRings((read(row) ?? []).map(closePath))
    if (own.length === 0) rowsWithoutLocation += 1
    for (const area of own) {
      areas.push(area)
      found.push(row)
    }
  }
  const all = Uint32Array.from(found)
  const { colors, colorIndexes, visible } = colorRows(layer.colors, frame, all, hidden)
  const rows = visible.map((index) => all[index]!)
  const { elevation } = layer
  const raised = elevation && 'column' in elevation ? findColumn(frame, elevation.column) : undefined
  const fixed = elevation && 'fixed' in elevation ? elevation.fixed : 0
  return {
    rowsWithoutLocation,
    marks: [
      {
        kind: 'areas',
        layer,
        colors,
        colorIndexes,
        rows,
        areas: Array.from(visible, (index) => areas[index]!),
        stroke: layer.isStroked ? layer.stroke : null,
        isFilled: layer.isFilled,
        width: layer.width,
        unit: layer.unit,
        elevations: layer.isExtruded
          ? Float32Array.from(rows, (row) => (raised ? (numberAt(raised, row) ?? 0) : fixed) * layer.multiplier)
          : null,
      },
    ],
  }
}
