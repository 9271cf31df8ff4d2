import { contours as contoursOf } from 'd3-contour'
import { buildGrid, type WeightedPoints, type ValueGrid } from './bins.ts'
import type { ContoursLayer } from './layers.ts'
import { nestRings, type Area } from './rings.ts'

/** Shapes of one contour, by its index in the layer. */
export type Isoline = { contour: number } & ({ lines: Float64Array[] } | { areas: Area[] })

/** Returns lines where the cell values of the points cross a threshold, and areas where they are between two. */
export function isolines(points: WeightedPoints, { cellSize, aggregate, contours }: ContoursLayer): Isoline[] {
  const grid = buildGrid(points, cellSize, aggregate)
  if (!grid) return []
  return contours.map(({ low, high }, contour) => {
    const rings = ringsAbove(grid, low)
    if (high === null) return { contour, lines: rings.map((ring) => Float64Array.from(ring.flat())) }
    return { contour, areas: nestRings([...rings, ...ringsAbove(grid, high)]) }
  })
}

function ringsAbove({ columns, rows, values, locate }: ValueGrid, threshold: number): [number, number][][] {
  const { coordinates } = contoursOf()
    .size([columns, rows])
    .contour(values as unknown as number[], threshold)
  return coordinates.flat().map((ring) => ring.map(([x, y]) => locate(x!, y!)))
}
