import type { Cell } from '@parquetry/frame'
import type { Bounds } from '../camera.ts'
import type { Ink, LengthUnit, MapLayer } from '../layers.ts'
import type { Area } from '../rings.ts'

/** A line of a tooltip. */
export interface TooltipFact {
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
  own?: (at: number) => readonly TooltipFact[]
  layer: MapLayer
}

export interface PointMarks extends Common {
  kind: 'points'
  /** Longitude and latitude by turns. */
  positions: Float64Array
  /** Place in `inks` of each. */
  ink: Uint16Array
  radii: Float32Array
  unit: LengthUnit
  least: number
  most: number
}

export interface LineMarks extends Common {
  kind: 'lines'
  lines: Float64Array[]
  ink: Uint16Array
  width: number
  unit: LengthUnit
}

export interface AreaMarks extends Common {
  kind: 'areas'
  areas: Area[]
  ink: Uint16Array
  stroke: Ink | null
  isFilled: boolean
  width: number
  unit: LengthUnit
  /** Metres; null where nothing stands up. */
  elevations: Float32Array | null
}

export interface ArcMarks extends Common {
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
export interface WeightedMarks extends Common {
  kind: 'heat' | 'cells' | 'clusters'
  positions: Float64Array
  weights: Float64Array
  /** Of points that stand alone, where a column says them. */
  radii: Float32Array | null
}

export type MarkGroup = PointMarks | LineMarks | AreaMarks | ArcMarks | WeightedMarks

export interface Drawable {
  marks: readonly MarkGroup[]
  bounds: Bounds
  /** Rows without a place on the map. */
  left: number
}

/** What a layer is made into, and how many of its rows have no place. */
export interface LayerMarks {
  marks: MarkGroup[]
  left: number
}
