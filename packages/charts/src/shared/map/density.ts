import { contourDensity } from 'd3-contour'
import type { WeightedMarks } from './marks/kinds.ts'
import type { Projection } from './camera.ts'

export interface ScreenCell {
  x: number
  y: number
  value: number
}

/** Sums the weights of points in squares of the screen. */
export function screenCells(
  { positions, weights }: WeightedMarks,
  { project }: Projection,
  cell: number,
  { width, height }: { width: number; height: number },
): ScreenCell[] {
  const cells = new Map<number, ScreenCell>()
  const columns = Math.ceil(width / cell)
  for (let index = 0; index < weights.length; index++) {
    const [x, y] = project(positions[2 * index]!, positions[2 * index + 1]!)
    if (x < 0 || y < 0 || x >= width || y >= height) continue
    const [column, row] = [Math.floor(x / cell), Math.floor(y / cell)]
    const found = cells.get(row * columns + column)
    if (found) found.value += weights[index]!
    else cells.set(row * columns + column, { x: column * cell, y: row * cell, value: weights[index]! })
  }
  return [...cells.values()]
}

/** Members that the types of d3-contour lack. */
interface Counted {
  contours: (data: number[]) => ((value: number) => { coordinates: number[][][][] }) & { max: number }
}

/** Number of color steps of a static heat map. */
const steps = 9

/** Returns outlines of increasing density in pixels, the lowest first. */
export function heatBands(
  { positions, weights }: WeightedMarks,
  { project }: Projection,
  radius: number,
  { width, height }: { width: number; height: number },
): { at: number; rings: number[][][] }[] {
  const indices = Array.from(weights, (_, index) => index)
  const places = indices.map((index) => project(positions[2 * index]!, positions[2 * index + 1]!))
  const density = contourDensity<number>()
    .x((index) => places[index]![0])
    .y((index) => places[index]![1])
    .weight((index) => Math.max(0, weights[index]!))
    .size([width, height])
    .bandwidth(Math.max(1, radius / 2.5))
    .cellSize(2)
  const { contours: contoursOf } = density as unknown as Counted
  const contours = contoursOf.call(density, indices)
  const most = contours.max
  if (!(most > 0)) return []
  return Array.from({ length: steps }, (_, step) => {
    const at = (step + 0.5) / steps
    return { at, rings: contours(most * at * at).coordinates.flat() }
  })
}
