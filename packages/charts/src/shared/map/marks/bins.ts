import type { Frame } from '@parquetry/frame'
import { formatter } from '../../formats/format.ts'
import { binByHexagon, binBySquare, type MapBin } from '../bins.ts'
import type { BinsLayer, LayerColor } from '../layers.ts'
import type { LayerMarks } from './kinds.ts'
import { noRows, readWeightedPoints } from './read.ts'

/** Builds cells colored in steps of their values; the legend lists the steps and can hide them. */
export function buildBinMarks(layer: BinsLayer, frame: Frame, hidden: ReadonlySet<string>): LayerMarks {
  const { rowsWithoutLocation, ...found } = readWeightedPoints(frame, layer.location, layer.weight)
  const all = (layer.shape === 'hexagon' ? binByHexagon : binBySquare)(found, layer.cellSize, layer.aggregate)
  const [low, high] = findValueExtent(all)
  const { colors, stepOf } = buildSteps(layer, low, high)
  const visible = all.filter(({ value }) => !hidden.has(colors[stepOf(value)]?.name ?? ''))
  // The highest bin is ten cell widths tall.
  const unit = high > 0 ? (10 * layer.cellSize) / high : 0
  return {
    rowsWithoutLocation,
    marks: [
      {
        kind: 'areas',
        layer,
        colors,
        colorIndexes: Uint16Array.from(visible, ({ value }) => stepOf(value)),
        rows: noRows,
        own: (index) => [
          { name: layer.name, value: visible[index]?.value ?? null, format: layer.format },
          ...(layer.weight === null
            ? []
            : [{ name: layer.countName, value: visible[index]?.count ?? null, format: ',d' }]),
        ],
        areas: visible.map(({ outline }) => ({ positions: outline, holeIndices: [] })),
        stroke: null,
        isFilled: true,
        width: 0,
        unit: 'pixels',
        elevations: layer.isExtruded ? Float32Array.from(visible, ({ value }) => Math.max(0, value) * unit) : null,
      },
    ],
  }
}

/** Returns even steps from the lowest to the highest value; one step when all are equal. */
function buildSteps({ steps, scheme, alpha, format, locale }: BinsLayer, low: number, high: number) {
  const count = high > low ? steps : 1
  const write = formatter(format, locale)
  const end = (index: number) => low + ((high - low) * index) / count
  const colors = Array.from({ length: low > high ? 0 : count }, (_, index): LayerColor => ({
    paint: { scheme, at: count < 2 ? 1 : 0.15 + (0.85 * index) / (count - 1) },
    alpha,
    name: count < 2 ? write(low) : `${write(end(index))} – ${write(end(index + 1))}`,
  }))
  const stepOf = (value: number) => Math.min(count - 1, Math.floor(((value - low) / (high - low || 1)) * count))
  return { colors, stepOf }
}

const findValueExtent = (bins: readonly MapBin[]): [number, number] => [
  bins.reduce((least, { value }) => Math.min(least, value), Infinity),
  bins.reduce((most, { value }) => Math.max(most, value), -Infinity),
]
