import type { Frame } from '@parquetry/frame'
import { readFeatures } from '../features.ts'
import type { GeoJsonLayer, LayerColor } from '../layers.ts'
import type { LayerMarks } from './kinds.ts'

export function buildGeoJsonMarks(layer: GeoJsonLayer, frame: Frame): LayerMarks {
  const { points: dots, lines, areas, rowsWithoutLocation } = readFeatures(frame, layer)
  const common = (found: { rows: number[]; colors: LayerColor[] }) => ({
    layer,
    colors: found.colors,
    colorIndexes: Uint16Array.from(found.colors, (_, index) => index),
    rows: Uint32Array.from(found.rows),
  })
  const { width, unit } = layer
  return {
    rowsWithoutLocation,
    marks: [
      ...(areas.rows.length > 0
        ? [
            {
              kind: 'areas' as const,
              ...common({ rows: areas.rows, colors: areas.fills }),
              own: (index: number) => areas.facts[index] ?? [],
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
              ...common({ rows: lines.rows, colors: lines.strokes }),
              own: (index: number) => lines.facts[index] ?? [],
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
              ...common({ rows: dots.rows, colors: dots.fills }),
              own: (index: number) => dots.facts[index] ?? [],
              positions: Float64Array.from(dots.positions),
              radii: new Float32Array(dots.rows.length).fill(layer.pointRadius),
              unit: layer.pointUnit,
              minRadius: 2,
              maxRadius: 200,
            },
          ]
        : []),
    ],
  }
}
