import type { Frame } from '@parquetry/frame'
import { readFeatures } from '../features.ts'
import type { GeoJsonLayer, Ink } from '../layers.ts'
import type { LayerMarks } from './kinds.ts'

export function buildGeoJsonMarks(layer: GeoJsonLayer, frame: Frame): LayerMarks {
  const { points: dots, lines, areas, left } = readFeatures(frame, layer)
  const common = (found: { rows: number[]; inks: Ink[] }) => ({
    layer,
    inks: found.inks,
    ink: Uint16Array.from(found.inks, (_, at) => at),
    rows: Uint32Array.from(found.rows),
  })
  const { width, unit } = layer
  return {
    left,
    marks: [
      ...(areas.rows.length > 0
        ? [
            {
              kind: 'areas' as const,
              ...common({ rows: areas.rows, inks: areas.fills }),
              own: (at: number) => areas.facts[at] ?? [],
              areas: areas.shapes,
              stroke: layer.isStroked ? layer.stroke : null,
              isFilled: layer.isFilled,
              width,
              unit,
              elevations: layer.isExtruded ? Float32Array.from(areas.elevations) : null,
            },
          ]
        : []),
      ...(lines.rows.length > 0
        ? [
            {
              kind: 'lines' as const,
              ...common({ rows: lines.rows, inks: lines.strokes }),
              own: (at: number) => lines.facts[at] ?? [],
              lines: lines.shapes,
              width,
              unit,
            },
          ]
        : []),
      ...(dots.rows.length > 0
        ? [
            {
              kind: 'points' as const,
              ...common({ rows: dots.rows, inks: dots.fills }),
              own: (at: number) => dots.facts[at] ?? [],
              positions: Float64Array.from(dots.positions),
              radii: new Float32Array(dots.rows.length).fill(layer.pointRadius),
              unit: layer.pointUnit,
              least: 2,
              most: 200,
            },
          ]
        : []),
    ],
  }
}
