import type { Cell } from '@parquetry/frame'
import type { Bounds } from '../camera.ts'
import type { LayerColor, LengthUnit, MapLayer } from '../layers.ts'
import type { Area } from '../rings.ts'

/** A line of a tooltip. */
export interface TooltipFact {
  name: string
  value: Cell
  format: string
}

interface Common {
  /** Colors of the layer. */
  colors: readonly LayerColor[]
  /** Row of the response for each mark; empty for aggregated marks. */
  rows: Uint32Array
  /** Data of the mark itself, by name: the value of a bin, the properties of a shape. */
  own?: (index: number) => readonly TooltipFact[]
  layer: MapLayer
}

export interface PointMarks extends Common {
  kind: 'points'
  /** Alternating longitude and latitude. */
  positions: Float64Array
  /** Index in `colors` of each mark. */
  colorIndexes: Uint16Array
  radii: Float32Array
  unit: LengthUnit
  minRadius: number
  maxRadius: number
}

export interface LineMarks extends Common {
  kind: 'lines'
  lines: Float64Array[]
  colorIndexes: Uint16Array
  width: number
  unit: LengthUnit
}

export interface AreaMarks extends Common {
  kind: 'areas'
  areas: Area[]
  colorIndexes: Uint16Array
  stroke: LayerColor | null
  isFilled: boolean
  width: number
  unit: LengthUnit
  /** Meters; null when nothing is extruded. */
  elevations: Float32Array | null
}

export interface ArcMarks extends Common {
  kind: 'arcs'
  sources: Float64Array
  targets: Float64Array
  colorIndexes: Uint16Array
  target: LayerColor
  /** Uses the color of the mark for both ends. */
  isOneColor: boolean
  width: number
}

/** Marks that are aggregated while drawing: heat, screen cells, clusters. */
export interface WeightedMarks extends Common {
  kind: 'heat' | 'cells' | 'clusters'
  positions: Float64Array
  weights: Float64Array
  /** Radii of single points, if set by a column. */
  radii: Float32Array | null
}

export type MarkGroup = PointMarks | LineMarks | AreaMarks | ArcMarks | WeightedMarks

export interface Drawable {
  marks: readonly MarkGroup[]
  bounds: Bounds
  /** Number of rows without a location. */
  rowsWithoutLocation: number
}

/** Marks of a layer, and the number of its rows without a location. */
export interface LayerMarks {
  marks: MarkGroup[]
  rowsWithoutLocation: number
}
