import type { Frame } from '@parquetry/frame'
import type { PathsLayer } from '../layers.ts'
import { createShapeReader } from '../shapes.ts'
import type { LayerMarks } from './kinds.ts'

export function buildPathMarks(layer: PathsLayer, frame: Frame): LayerMarks {
  const read = createShapeReader(frame, layer.shape)
  const [lines, rows]: [Float64Array[], number[]] = [[], []]
  let rowsWithoutLocation = 0
  for (let row = 0; row < frame.rows; row++) {
    const rings = read(row)
    if (!rings) rowsWithoutLocation += 1
    for (const ring of rings ?? []) {
      lines.push(Float64Array.from(ring.flat()))
      rows.push(row)
    }
  }
  const { color, width, unit } = layer
  return {
    rowsWithoutLocation,
    marks: [
      {
        kind: 'lines',
        layer,
        colors: [color],
        colorIndexes: new Uint16Array(lines.length),
        rows: Uint32Array.from(rows),
        lines,
        width,
        unit,
      },
    ],
  }
}
