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
  let left = 0
  for (let row = 0; row < frame.rows; row++) {
    const own = nestRings((read(row) ?? []).map(closePath))
    if (own.length === 0) left += 1
    for (const area of own) {
      areas.push(area)
      found.push(row)
    }
  }
  const all = Uint32Array.from(found)
  const { inks, ink, kept } = colorRows(layer.inks, frame, all, hidden)
  const rows = kept.map((at) => all[at]!)
  const { elevation } = layer
  const raised = elevation && 'column' in elevation ? findColumn(frame, elevation.column) : undefined
  const fixed = elevation && 'fixed' in elevation ? elevation.fixed : 0
  return {
    left,
    marks: [
      {
        kind: 'areas',
        layer,
        inks,
        ink,
        rows,
        areas: Array.from(kept, (at) => areas[at]!),
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
