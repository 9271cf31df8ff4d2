import type { Frame } from '@parquetry/frame'
import type { PathsLayer } from '../layers.ts'
import { createShapeReader } from '../shapes.ts'
import type { LayerMarks } from './kinds.ts'

export function buildPathMarks(layer: PathsLayer, frame: Frame): LayerMarks {
  const read = createShapeReader(frame, layer.shape)
  const [lines, rows]: [Float64Array[], number[]] = [[], []]
  let left = 0
  for (let row = 0; row < frame.rows; row++) {
    const rings = read(row)
    if (!rings) left += 1
    for (const ring of rings ?? []) {
      lines.push(Float64Array.from(ring.flat()))
      rows.push(row)
    }
  }
  const { ink, width, unit } = layer
  return {
    left,
    marks: [
      {
        kind: 'lines',
        layer,
        inks: [ink],
        ink: new Uint16Array(lines.length),
        rows: Uint32Array.from(rows),
        lines,
        width,
        unit,
      },
    ],
  }
}
