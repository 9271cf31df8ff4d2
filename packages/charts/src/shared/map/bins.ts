import { latitudeAt, longitudeAt, mercatorX, mercatorY, worldUnitsPerMeter } from './camera.ts'
import type { BinAggregate } from './layers.ts'

/** Aggregates the numbers of a bin; null if there are none. */
export function aggregateValues(numbers: readonly number[], how: BinAggregate): number | null {
  const count = numbers.length
  if (how === 'count') return count
  if (count === 0) return null
  const sum = () => numbers.reduce((total, each) => total + each, 0)
  const variance = () => {
    const mean = sum() / count
    return count < 2 ? 0 : numbers.reduce((total, each) => total + (each - mean) ** 2, 0) / (count - 1)
  }
  switch (how) {
    case 'sum':
      return sum()
    case 'min':
      return numbers.reduce((least, each) => Math.min(least, each), Infinity)
    case 'max':
      return numbers.reduce((most, each) => Math.max(most, each), -Infinity)
    case 'mean':
      return sum() / count
    case 'median':
      return quantile(numbers, 0.5)
    case 'variance':
      return variance()
    case 'deviation':
      return Math.sqrt(variance())
    default:
      return quantile(numbers, Number(how.slice(1)) / 100)
  }
}

function quantile(numbers: readonly number[], part: number): number {
  const sorted = Float64Array.from(numbers).sort()
  const place = (sorted.length - 1) * part
  const low = sorted[Math.floor(place)] ?? 0
  return low + ((sorted[Math.ceil(place)] ?? low) - low) * (place - Math.floor(place))
}

export interface MapBin {
  /** Closed outline of alternating longitudes and latitudes. */
  outline: Float64Array
  longitude: number
  latitude: number
  count: number
  value: number
}

export interface WeightedPoints {
  /** Alternating longitudes and latitudes, with one weight per pair. */
  positions: Float64Array
  weights: Float64Array
}

/** Returns the size of a cell on the map for a length in meters, measured at the center of the points. */
function cellSize({ positions }: WeightedPoints, meters: number): number {
  let [south, north] = [Infinity, -Infinity]
  for (let index = 1; index < positions.length; index += 2) {
    south = Math.min(south, positions[index]!)
    north = Math.max(north, positions[index]!)
  }
  const middle = Number.isFinite(south) ? (south + north) / 2 : 0
  return Math.max(meters * worldUnitsPerMeter(middle), 1e-7)
}

interface Cell {
  x: number
  y: number
  numbers: number[]
}

/** @returns the numbers of each cell, without those that are not finite */
function groupByCell(
  { positions, weights }: WeightedPoints,
  locate: (x: number, y: number) => readonly [column: number, row: number],
): Map<string, Cell> {
  const cells = new Map<string, Cell>()
  for (let index = 0; index < weights.length; index++) {
    const [column, row] = locate(mercatorX(positions[2 * index]!), mercatorY(positions[2 * index + 1]!))
    const key = `${column} ${row}`
    const cell = cells.get(key)
    if (cell) cell.numbers.push(weights[index]!)
    else cells.set(key, { x: column, y: row, numbers: [weights[index]!] })
  }
  return cells
}

const binsFrom = (
  cells: Iterable<Cell>,
  how: BinAggregate,
  outlineOf: (cell: Cell) => { x: number; y: number; corners: readonly (readonly [number, number])[] },
): MapBin[] =>
  [...cells].flatMap((cell) => {
    const value = aggregateValues(cell.numbers, how)
    if (value === null || !Number.isFinite(value)) return []
    const { x, y, corners } = outlineOf(cell)
    const ring = [...corners, corners[0]!]
    return {
      outline: Float64Array.from(ring.flatMap(([cornerX, cornerY]) => [longitudeAt(cornerX), latitudeAt(cornerY)])),
      longitude: longitudeAt(x),
      latitude: latitudeAt(y),
      count: cell.numbers.length,
      value,
    }
  })

/** Aggregates points into squares of a grid. */
export function binBySquare(points: WeightedPoints, meters: number, how: BinAggregate): MapBin[] {
  const size = cellSize(points, meters)
  const cells = groupByCell(points, (x, y) => [Math.floor(x / size), Math.floor(y / size)])
  return binsFrom(cells.values(), how, ({ x, y }) => {
    const [left, top] = [x * size, y * size]
    return {
      x: left + size / 2,
      y: top + size / 2,
      corners: [
        [left, top],
        [left + size, top],
        [left + size, top + size],
        [left, top + size],
      ],
    }
  })
}

/** Aggregates points into hexagons with a corner to the north; `meters` is from the center to a corner. */
export function binByHexagon(points: WeightedPoints, meters: number, how: BinAggregate): MapBin[] {
  const radius = cellSize(points, meters)
  const [wide, high] = [radius * Math.sqrt(3), radius * 1.5]
  const cells = groupByCell(points, (x, y) => {
    // Picks the row with the nearer center of the two around the point.
    const row = Math.floor(y / high)
    let best: readonly [number, number] = [0, 0]
    let nearest = Infinity
    for (const each of [row, row + 1]) {
      const shift = each & 1 ? 0.5 : 0
      const column = Math.round(x / wide - shift)
      const distance = ((column + shift) * wide - x) ** 2 + (each * high - y) ** 2
      if (distance >= nearest) continue
      nearest = distance
      best = [column, each]
    }
    return best
  })
  return binsFrom(cells.values(), how, ({ x: column, y: row }) => {
    const [x, y] = [(column + (row & 1 ? 0.5 : 0)) * wide, row * high]
    const corners = Array.from({ length: 6 }, (_, corner) => {
      const angle = (corner * Math.PI) / 3
      return [x + radius * Math.sin(angle), y - radius * Math.cos(angle)] as const
    })
    return { x, y, corners }
  })
}

/** Values of a regular grid around all points, for isolines; a margin of one cell is empty. */
export interface ValueGrid {
  columns: number
  rows: number
  values: Float64Array
  /** Returns longitude and latitude of a position in the grid, in cells from its corner. */
  locate(x: number, y: number): [number, number]
}

/** More cells would cost more than they show, so the cells become larger. */
const maxCells = 500_000

export function buildGrid(points: WeightedPoints, meters: number, how: BinAggregate): ValueGrid | null {
  if (points.weights.length === 0) return null
  let size = cellSize(points, meters)
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let index = 0; index < points.weights.length; index++) {
    const [x, y] = [mercatorX(points.positions[2 * index]!), mercatorY(points.positions[2 * index + 1]!)]
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  while (((right - left) / size + 5) * ((bottom - top) / size + 5) > maxCells) size *= 1.5
  const [first, start] = [Math.floor(left / size) - 2, Math.floor(top / size) - 2]
  const columns = Math.floor(right / size) - first + 3
  const rows = Math.floor(bottom / size) - start + 3
  const values = new Float64Array(columns * rows)
  const cells = groupByCell(points, (x, y) => [Math.floor(x / size) - first, Math.floor(y / size) - start])
  for (const { x, y, numbers } of cells.values()) values[y * columns + x] = aggregateValues(numbers, how) ?? 0
  return {
    columns,
    rows,
    values,
    locate: (x, y) => [longitudeAt((x + first) * size), latitudeAt((y + start) * size)],
  }
}
