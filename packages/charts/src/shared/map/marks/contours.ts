import type { Frame } from '@parquetry/frame'
import { isolines } from '../isolines.ts'
import type { ContoursLayer } from '../layers.ts'
import type { LayerMarks, MarkGroup } from './kinds.ts'
import { noRows, readWeightedPoints } from './read.ts'

export function buildContourMarks(layer: ContoursLayer, frame: Frame): LayerMarks {
  const { rowsWithoutLocation, ...found } = readWeightedPoints(frame, layer.location, layer.weight)
  const drawn = isolines(found, layer)
  const common = (index: number, count: number) => {
    const { color, alpha, low, high } = layer.contours[index]!
    return {
      layer,
      colors: [{ paint: color, alpha }],
      colorIndexes: new Uint16Array(count),
      rows: noRows,
      own: () => [
        { name: layer.name, value: low, format: layer.format },
        ...(high === null ? [] : [{ name: '', value: high, format: layer.format }]),
      ],
    }
  }
  return {
    rowsWithoutLocation,
    marks: drawn.map(({ contour: at, ...shapes }): MarkGroup => {
      const { width } = layer.contours[at]!
      return 'lines' in shapes
        ? { kind: 'lines', ...common(at, shapes.lines.length), ...shapes, width, unit: 'pixels' }
        : {
            kind: 'areas',
            ...common(at, shapes.areas.length),
            ...shapes,
            stroke: null,
            isFilled: true,
            width,
            unit: 'pixels',
            elevations: null,
          }
    }),
  }
}
