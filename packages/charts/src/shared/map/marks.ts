import { numberAt, textAt, type Cell, type Frame } from '@parquetry/frame'
import { columnNamed } from '../column.ts'
import { hexagons, squares, type Bin, type Binned } from './bins.ts'
import { emptyBounds, extend, type Bounds } from './camera.ts'
import { isolines } from './isolines.ts'
import { featuresOf } from './features.ts'
import type {
  ArcsLayer,
  BinsLayer,
  CellsLayer,
  ClustersLayer,
  ContoursLayer,
  GeoJsonLayer,
  HeatLayer,
  Ink,
  Inks,
  Length,
  MapLayer,
  MapSpec,
  PathsLayer,
  Place,
  PointsLayer,
  PolygonsLayer,
} from './layers.ts'
import { locator, nearestLongitude } from './place.ts'
import { nested, type Area } from './rings.ts'
import { closed, shapeReader } from './shapes.ts'

/** A line of a tooltip. */
export interface Fact {
  name: string
  value: Cell
  format: string
}

interface Common {
  /** Colours of the layer. */
  inks: readonly Ink[]
  /** Row of the answer behind each mark; empty where a mark stands for many. */
  rows: Uint32Array
  /** What only the mark itself knows, by its name: the number of a bin, the properties of a shape. */
  own?: (at: number) => readonly Fact[]
  layer: MapLayer
}

export interface Points extends Common {
  kind: 'points'
  /** Longitude and latitude by turns. */
  positions: Float64Array
  /** Place in `inks` of each. */
  ink: Uint16Array
  radii: Float32Array
  unit: Length
  least: number
  most: number
}

export interface Lines extends Common {
  kind: 'lines'
  lines: Float64Array[]
  ink: Uint16Array
  width: number
  unit: Length
}

export interface Areas extends Common {
  kind: 'areas'
  areas: Area[]
  ink: Uint16Array
  stroke: Ink | null
  isFilled: boolean
  width: number
  unit: Length
  /** Metres; null where nothing stands up. */
  elevations: Float32Array | null
}

export interface Arcs extends Common {
  kind: 'arcs'
  sources: Float64Array
  targets: Float64Array
  ink: Uint16Array
  target: Ink
  /** Both ends have the colour of the mark. */
  isOneColor: boolean
  width: number
}

/** Marks of which the picture makes others: heat, cells of the screen, clusters. */
export interface Weighed extends Common {
  kind: 'heat' | 'cells' | 'clusters'
  positions: Float64Array
  weights: Float64Array
  /** Of points that stand alone, where a column says them. */
  radii: Float32Array | null
}

export type Marks = Points | Lines | Areas | Arcs | Weighed

export interface Drawable {
  marks: readonly Marks[]
  bounds: Bounds
  /** Rows without a place on the map. */
  left: number
}

/**
 * The marks of all layers.
 * @param hidden names of the legend that are switched off
 */
export function marksOf(
  { layers }: MapSpec,
  frames: Record<string, Frame>,
  hidden: ReadonlySet<string> = new Set(),
): Drawable {
  const bounds = emptyBounds()
  let left = 0
  const marks = layers.flatMap((layer) => {
    const frame = frames[layer.frame]
    if (!frame || frame.rows === 0) return []
    const made = makers[layer.kind](layer as never, frame, hidden)
    left += made.left
    for (const each of made.marks) extendBy(bounds, each)
    return made.marks
  })
  return { marks, bounds, left }
}

interface Made {
  marks: Marks[]
  left: number
}

function extendBy(bounds: Bounds, marks: Marks): void {
  const add = (positions: Float64Array) => {
    for (let at = 0; at < positions.length; at += 2) extend(bounds, positions[at]!, positions[at + 1]!)
  }
  if (marks.kind === 'lines') for (const line of marks.lines) add(line)
  else if (marks.kind === 'areas') for (const { positions } of marks.areas) add(positions)
  else if (marks.kind === 'arcs') {
    add(marks.sources)
    add(marks.targets)
  } else add(marks.positions)
}

/** Rows that have a place, and their places. */
function placed(frame: Frame, place: Place): { rows: Uint32Array; positions: Float64Array } {
  const locate = locator(frame, place)
  const rows = new Uint32Array(frame.rows)
  const positions = new Float64Array(2 * frame.rows)
  let count = 0
  for (let row = 0; row < frame.rows; row++) {
    const at = locate(row)
    if (!at) continue
    rows[count] = row
    positions[2 * count] = at[0]
    positions[2 * count + 1] = at[1]
    count += 1
  }
  return { rows: rows.subarray(0, count), positions: positions.subarray(0, 2 * count) }
}

/** A colour of each row; null for a row that the legend has switched off, or one that has no number to be coloured by. */
function inkReader(inks: Inks, frame: Frame): { inks: readonly Ink[]; inkOf: (row: number) => number } {
  if (inks.by === 'one') return { inks: [inks.ink], inkOf: () => 0 }
  const column = columnNamed(frame, inks.column)
  if (!column) return { inks: inks.inks, inkOf: () => 0 }
  if (inks.by === 'steps') {
    const { ends } = inks
    return {
      inks: inks.inks,
      inkOf: (row) => {
        const value = numberAt(column, row)
        if (value === null) return -1
        let step = 0
        while (step < inks.inks.length - 1 && value >= (ends[step + 1] ?? Infinity)) step += 1
        return step
      },
    }
  }
  const places = new Map(inks.values.map((value, at) => [value, at]))
  return { inks: inks.inks, inkOf: (row) => places.get(textAt(column, row)) ?? 0 }
}

/** Of these rows those that are shown, with their colours. */
function colored(inks: Inks, frame: Frame, rows: Uint32Array, hidden: ReadonlySet<string>) {
  const { inks: all, inkOf } = inkReader(inks, frame)
  const ink = new Uint16Array(rows.length)
  const kept = new Uint32Array(rows.length)
  let count = 0
  for (let at = 0; at < rows.length; at++) {
    const found = inkOf(rows[at]!)
    if (found < 0 || hidden.has(all[found]?.name ?? '')) continue
    ink[count] = found
    kept[count] = at
    count += 1
  }
  return { inks: all, ink: ink.subarray(0, count), kept: kept.subarray(0, count) }
}

const pairsAt = (positions: Float64Array, kept: Uint32Array): Float64Array => {
  if (2 * kept.length === positions.length) return positions
  const picked = new Float64Array(2 * kept.length)
  for (let at = 0; at < kept.length; at++) {
    picked[2 * at] = positions[2 * kept[at]!]!
    picked[2 * at + 1] = positions[2 * kept[at]! + 1]!
  }
  return picked
}

function points(layer: PointsLayer, frame: Frame, hidden: ReadonlySet<string>): Made {
  const { rows: all, positions } = placed(frame, layer.at)
  const { inks, ink, kept } = colored(layer.inks, frame, all, hidden)
  const rows = kept.map((at) => all[at]!)
  const sized = 'column' in layer.size ? columnNamed(frame, layer.size.column) : undefined
  const fixed = 'fixed' in layer.size ? layer.size.fixed : 0
  const radii = Float32Array.from(rows, (row) => {
    const size = Math.max(0, sized ? (numberAt(sized, row) ?? 0) : fixed)
    return (layer.isArea ? Math.sqrt(size / Math.PI) : size) * layer.unit
  })
  return {
    left: frame.rows - all.length,
    marks: [
      {
        kind: 'points',
        layer,
        inks,
        ink,
        rows,
        positions: pairsAt(positions, kept),
        radii,
        unit: 'meters',
        least: layer.least,
        most: layer.most,
      },
    ],
  }
}

function arcs(layer: ArcsLayer, frame: Frame, hidden: ReadonlySet<string>): Made {
  const [from, to] = [locator(frame, layer.from), locator(frame, layer.to)]
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
  const { inks, ink, kept } = colored(layer.inks, frame, all, hidden)
  return {
    left: frame.rows - all.length,
    marks: [
      {
        kind: 'arcs',
        layer,
        inks,
        ink,
        rows: kept.map((at) => all[at]!),
        sources: pairsAt(Float64Array.from(sources), kept),
        targets: pairsAt(Float64Array.from(targets), kept),
        target: layer.target,
        isOneColor: layer.inks.by !== 'one',
        width: layer.width,
      },
    ],
  }
}

function paths(layer: PathsLayer, frame: Frame): Made {
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

function polygons(layer: PolygonsLayer, frame: Frame, hidden: ReadonlySet<string>): Made {
  const read = shapeReader(frame, layer.shape)
  const [found, areas]: [number[], Area[]] = [[], []]
  let left = 0
  for (let row = 0; row < frame.rows; row++) {
    const own = nested((read(row) ?? []).map(closed))
    if (own.length === 0) left += 1
    for (const area of own) {
      areas.push(area)
      found.push(row)
    }
  }
  const all = Uint32Array.from(found)
  const { inks, ink, kept } = colored(layer.inks, frame, all, hidden)
  const rows = kept.map((at) => all[at]!)
  const { elevation } = layer
  const raised = elevation && 'column' in elevation ? columnNamed(frame, elevation.column) : undefined
  const fixed = elevation && 'fixed' in elevation ? elevation.fixed : 0
  return {
    left,
    marks: [
      {
        kind: 'areas',
        layer,
        inks,
        ink,
        rows,
        areas: Array.from(kept, (at) => areas[at]!),
        stroke: layer.isStroked ? layer.stroke : null,
        isFilled: layer.isFilled,
        width: layer.width,
        unit: layer.unit,
        elevations: layer.isExtruded
          ? Float32Array.from(rows, (row) => (raised ? (numberAt(raised, row) ?? 0) : fixed) * layer.multiplier)
          : null,
      },
    ],
  }
}

/** Places with their numbers; without a column each counts once. Rows without a number are left out. */
function weighed(frame: Frame, place: Place, weight: string | null): Binned & { rows: Uint32Array; left: number } {
  const { rows, positions } = placed(frame, place)
  const column = weight === null ? undefined : columnNamed(frame, weight)
  if (!column)
    return { rows, positions, weights: new Float64Array(rows.length).fill(1), left: frame.rows - rows.length }
  const kept: number[] = []
  const weights: number[] = []
  for (let at = 0; at < rows.length; at++) {
    const value = numberAt(column, rows[at]!)
    if (value === null) continue
    kept.push(at)
    weights.push(value)
  }
  const picked = Uint32Array.from(kept)
  return {
    rows: picked.map((at) => rows[at]!),
    positions: pairsAt(positions, picked),
    weights: Float64Array.from(weights),
    left: frame.rows - kept.length,
  }
}

const noRows = new Uint32Array(0)

function bins(layer: BinsLayer, frame: Frame): Made {
  const { left, ...found } = weighed(frame, layer.at, layer.weight)
  const made = (layer.shape === 'hexagon' ? hexagons : squares)(found, layer.cell, layer.aggregate)
  const [low, high] = endsOf(made)
  const span = high - low
  const step = (value: number) => Math.min(layer.steps - 1, Math.floor(((value - low) / (span || 1)) * layer.steps))
  const inks = Array.from({ length: layer.steps }, (_, at) => ({
    paint: { scheme: layer.scheme, at: layer.steps < 2 ? 1 : 0.15 + (0.85 * at) / (layer.steps - 1) },
    alpha: layer.alpha,
  }))
  // The highest stands as tall as ten cells are wide.
  const unit = high > 0 ? (10 * layer.cell) / high : 0
  return {
    left,
    marks: [
      {
        kind: 'areas',
        layer,
        inks,
        ink: Uint16Array.from(made, ({ value }) => step(value)),
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

const endsOf = (bins: readonly Bin[]): [number, number] => [
  bins.reduce((least, { value }) => Math.min(least, value), Infinity),
  bins.reduce((most, { value }) => Math.max(most, value), -Infinity),
]

function contours(layer: ContoursLayer, frame: Frame): Made {
  const { left, ...found } = weighed(frame, layer.at, layer.weight)
  const drawn = isolines(found, layer)
  const common = (at: number, count: number) => {
    const { color, alpha, low, high } = layer.contours[at]!
    return {
      layer,
      inks: [{ paint: color, alpha }],
      ink: new Uint16Array(count),
      rows: noRows,
      own: () => [
        { name: layer.name, value: low, format: layer.format },
        ...(high === null ? [] : [{ name: '', value: high, format: layer.format }]),
      ],
    }
  }
  return {
    left,
    marks: drawn.map(({ contour: at, ...shapes }): Marks => {
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

function geojson(layer: GeoJsonLayer, frame: Frame): Made {
  const { points: dots, lines, areas, left } = featuresOf(frame, layer)
  const common = (found: { rows: number[]; inks: Ink[] }) => ({
    layer,
    inks: found.inks,
    ink: Uint16Array.from(found.inks, (_, at) => at),
    rows: Uint32Array.from(found.rows),
  })
  const { width, unit } = layer
  return {
    left,
    marks: [
      ...(areas.rows.length > 0
        ? [
            {
              kind: 'areas' as const,
              ...common({ rows: areas.rows, inks: areas.fills }),
              own: (at: number) => areas.facts[at] ?? [],
              areas: areas.shapes,
              stroke: layer.isStroked ? layer.stroke : null,
              isFilled: layer.isFilled,
              width,
              unit,
              elevations: layer.isExtruded ? Float32Array.from(areas.elevations) : null,
            },
          ]
        : []),
      ...(lines.rows.length > 0
        ? [
            {
              kind: 'lines' as const,
              ...common({ rows: lines.rows, inks: lines.strokes }),
              own: (at: number) => lines.facts[at] ?? [],
              lines: lines.shapes,
              width,
              unit,
            },
          ]
        : []),
      ...(dots.rows.length > 0
        ? [
            {
              kind: 'points' as const,
              ...common({ rows: dots.rows, inks: dots.fills }),
              own: (at: number) => dots.facts[at] ?? [],
              positions: Float64Array.from(dots.positions),
              radii: new Float32Array(dots.rows.length).fill(layer.pointRadius),
              unit: layer.pointUnit,
              least: 2,
              most: 200,
            },
          ]
        : []),
    ],
  }
}

const spread =
  (kind: Weighed['kind']) =>
  (layer: HeatLayer | CellsLayer | ClustersLayer, frame: Frame): Made => {
    const weight = layer.kind === 'clusters' ? (layer.label?.column ?? null) : layer.weight
    const { left, rows, positions, weights } = weighed(frame, layer.at, weight)
    const inks = 'ink' in layer ? [layer.ink] : []
    const sized =
      layer.kind === 'clusters' && 'column' in layer.pointRadius && columnNamed(frame, layer.pointRadius.column)
    const radii = sized ? Float32Array.from(rows, (row) => numberAt(sized, row) ?? 0) : null
    return { left, marks: [{ kind, layer, inks, rows, positions, weights, radii }] }
  }

const makers: { [Kind in MapLayer['kind']]: (layer: never, frame: Frame, hidden: ReadonlySet<string>) => Made } = {
  points,
  paths,
  polygons,
  arcs,
  bins,
  contours,
  geojson,
  heat: spread('heat'),
  cells: spread('cells'),
  clusters: spread('clusters'),
}
