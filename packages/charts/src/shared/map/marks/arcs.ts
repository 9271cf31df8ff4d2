import type { Frame } from '@parquetry/frame'
import type { ArcsLayer } from '../layers.ts'
import { createLocator, nearestLongitude } from '../location.ts'
import type { LayerMarks } from './kinds.ts'
import { colorRows, pickPositions } from './read.ts'

export function buildArcMarks(layer: ArcsLayer, frame: Frame, hidden: ReadonlySet<string>): LayerMarks {
  const [from, to] = [createLocator(frame, layer.from), createLocator(frame, layer.to)]
  const found: number[] = []
  const [sources, targets]: [number[], number[]] = [[], []]
  for (let row = 0; row < frame.rows; row++) {
    const [source, target] = [from(row), to(row)]
    if (!source || !target) continue
    found.push(row)
    sources.push(...source)
    targets.push(nearestLongitude(target[0], source[0]), target[1])
  }
  const all = Uint32Array.from(found)
  const { colors, colorIndexes, visible } = colorRows(layer.colors, frame, all, hidden)
  return {
    rowsWithoutLocation: frame.rows - all.length,
    marks: [
      {
        kind: 'arcs',
        layer,
        colors,
        colorIndexes,
        rows: visible.map((index) => all[index]!),
        sources: pickPositions(Float64Array.from(sources), visible),
        targets: pickPositions(Float64Array.from(targets), visible),
        target: layer.target,
        isOneColor: layer.colors.by !== 'one',
        width: layer.width,
      },
    ],
  }
}
