import type { Frame } from '@parquetry/frame'
import type { PathsLayer } from '../layers.ts'
import { shapeReader } from '../shapes.ts'
import type { Made } from './kinds.ts'

export function paths(layer: PathsLayer, frame: Frame): Made {
  const read = shapeReader(frame, layer.shape)
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
