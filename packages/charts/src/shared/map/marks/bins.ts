import type { Frame } from '@parquetry/frame'
import { formatter } from '../../formats/format.ts'
import { binByHexagon, binBySquare, type MapBin } from '../bins.ts'
import type { BinsLayer, Ink } from '../layers.ts'
import type { LayerMarks } from './kinds.ts'
import { noRows, readWeightedPoints } from './read.ts'

/** Builds cells colored in steps of their values; the legend lists the steps and can hide them. */
export function buildBinMarks(layer: BinsLayer, frame: Frame, hidden: ReadonlySet<string>): LayerMarks {
  const { left, ...found } = readWeightedPoints(frame, layer.at, layer.weight)
  const all = (layer.shape === 'hexagon' ? binByHexagon : binBySquare)(found, layer.cell, layer.aggregate)
  const [low, high] = findValueExtent(all)
  const { inks, stepOf } = buildSteps(layer, low, high)
  const made = all.filter(({ value }) => !hidden.has(inks[stepOf(value)]?.name ?? ''))
  // The highest bin is ten cell widths tall.
  const unit = high > 0 ? (10 * layer.cell) / high : 0
  return {
    left,
    marks: [
      {
        kind: 'areas',
        layer,
        inks,
        ink: Uint16Array.from(made, ({ value }) => stepOf(value)),
        rows: noRows,
        own: (at) => [
          { name: layer.name, value: made[at]?.value ?? null, format: layer.format },
          ...(layer.weight === null ? [] : [{ name: layer.countName, value: made[at]?.count ?? null, format: ',d' }]),
        ],
        areas: made.map(({ outline }) => ({ positions: outline, holeIndices: [] })),
        stroke: null,
        isFilled: true,
        width: 0,
        unit: 'pixels',
        elevations: layer.isExtruded ? Float32Array.from(made, ({ value }) => Math.max(0, value) * unit) : null,
      },
    ],
  }
}

/** Returns even steps from the lowest to the highest value; one step when all are equal. */
function buildSteps({ steps, scheme, alpha, format, locale }: BinsLayer, low: number, high: number) {
  const count = high > low ? steps : 1
  const write = formatter(format, locale)
  const end = (at: number) => low + ((high - low) * at) / count
  const inks = Array.from({ length: low > high ? 0 : count }, (_, at): Ink => ({
    paint: { scheme, at: count < 2 ? 1 : 0.15 + (0.85 * at) / (count - 1) },
    alpha,
    name: count < 2 ? write(low) : `${write(end(at))} – ${write(end(at + 1))}`,
  }))
  const stepOf = (value: number) => Math.min(count - 1, Math.floor(((value - low) / (high - low || 1)) * count))
  return { inks, stepOf }
}

const findValueExtent = (bins: readonly MapBin[]): [number, number] => [
  bins.reduce((least, { value }) => Math.min(least, value), Infinity),
  bins.reduce((most, { value }) => Math.max(most, value), -Infinity),
]
