import type { Spec } from '../../define.ts'

/** Where a row lies, by the columns of its answer; the API's names (CTRL-113). */
export type LocationSource =
  | { type: 'latlong'; latCol: string; lonCol: string }
  /** Longitude first, latitude where it is reversed. */
  | { type: 'delimited'; lonlatCol: string; delimiter: string; reverseCheckbox: boolean }
  | { type: 'geohash'; geohashCol: string }

/** How a stored line or area is written: GeoJSON or a list of pairs, an encoded polyline, a geohash (its box). */
export interface ShapeColumn {
  column: string
  type: 'json' | 'polyline' | 'geohash' | 'zipcode'
  /** Pairs are latitude first. */
  isLatFirst: boolean
}

/** A colour as documents store it, or a place from 0 to 1 on a ramp of the theme. */
export type Paint = string | { scheme: string; at: number }

/** One colour of a layer; those with a name stand in the legend. */
export interface Ink {
  paint: Paint
  /** 0 to 1. */
  alpha: number
  name?: string
}

/** What colour a row has. */
export type ColorEncoding =
  | { by: 'one'; ink: Ink }
  /** Each label of a column has a colour. */
  | { by: 'label'; column: string; values: readonly (string | null)[]; inks: readonly Ink[] }
  /** Numbers of a column in steps: `ends` has one more entry than there are colours. */
  | { by: 'steps'; column: string; ends: readonly number[]; inks: readonly Ink[] }

/** A line of the tooltip: a column of the answer under its name. */
export interface TooltipField {
  column: string
  name: string
  format: string
}

export type LengthUnit = 'meters' | 'pixels'

/** How the numbers of a bin become one, in the API's words. */
export const binAggregates = [
  'sum',
  'min',
  'max',
  'mean',
  'median',
  'count',
  'variance',
  'deviation',
  'p1',
  'p5',
  'p95',
  'p99',
] as const
export type BinAggregate = (typeof binAggregates)[number]

interface Base {
  /** Name of the answer that it reads. */
  frame: string
  tips: readonly TooltipField[]
  /** Columns whose values name a mark to others. */
  keys: readonly string[]
}

export interface PointsLayer extends Base {
  kind: 'points'
  at: LocationSource
  inks: ColorEncoding
  /** A number for all, or a column: of an area where `isArea`, else of a radius. */
  size: { fixed: number } | { column: string }
  isArea: boolean
  /** Metres of one unit of the size. */
  unit: number
  /** Radii in pixels that are never passed. */
  least: number
  most: number
}

export interface ClustersLayer extends Base {
  kind: 'clusters'
  at: LocationSource
  ink: Ink
  /** Pixels within which points are one; 0 never. */
  radius: number
  /** Of a single point: a number of pixels or a column of it. */
  pointRadius: { fixed: number } | { column: string }
  /** Metres of one unit of a column's radius; null where it is in pixels. */
  unit: number | null
  /** What stands in a cluster: how many, or a column's numbers as one. */
  label: { column: string; aggregate: BinAggregate } | null
  format: string
}

export interface PathsLayer extends Base {
  kind: 'paths'
  shape: ShapeColumn
  ink: Ink
  width: number
  unit: LengthUnit
}

export interface PolygonsLayer extends Base {
  kind: 'polygons'
  shape: ShapeColumn
  inks: ColorEncoding
  stroke: Ink
  isFilled: boolean
  isStroked: boolean
  isExtruded: boolean
  width: number
  unit: LengthUnit
  /** Metres: a number for all, or a column. */
  elevation: { fixed: number } | { column: string } | null
  multiplier: number
}

export interface ArcsLayer extends Base {
  kind: 'arcs'
  from: LocationSource
  to: LocationSource
  inks: ColorEncoding
  target: Ink
  width: number
}

export interface BinsLayer extends Base {
  kind: 'bins'
  at: LocationSource
  shape: 'hexagon' | 'square'
  /** Metres: side of a square, radius of a hexagon. */
  cell: number
  weight: string | null
  aggregate: BinAggregate
  scheme: string
  steps: number
  alpha: number
  isExtruded: boolean
  format: string
  /** For the names of the steps in the legend. */
  locale: string
  /** Name of the number, and of how many it is made from. */
  name: string
  countName: string
}

export interface CellsLayer extends Base {
  kind: 'cells'
  at: LocationSource
  weight: string | null
  /** Pixels. */
  cell: number
  ink: Ink
  format: string
  name: string
}

export interface HeatLayer extends Base {
  kind: 'heat'
  at: LocationSource
  weight: string | null
  radius: number
  intensity: number
  isMean: boolean
  scheme: string
}

export interface Contour {
  low: number
  /** Null: a line at `low`; else an area between the two. */
  high: number | null
  color: string
  alpha: number
  width: number
}

export interface ContoursLayer extends Base {
  kind: 'contours'
  at: LocationSource
  weight: string | null
  /** Metres. */
  cell: number
  aggregate: BinAggregate
  contours: readonly Contour[]
  name: string
  format: string
}

export interface GeoJsonLayer extends Base {
  kind: 'geojson'
  column: string
  fill: Ink
  stroke: Ink
  isFilled: boolean
  isStroked: boolean
  isExtruded: boolean
  width: number
  unit: LengthUnit
  pointRadius: number
  /** Metres of one unit of the radius. */
  pointUnit: LengthUnit
}

export type MapLayer =
  | PointsLayer
  | ClustersLayer
  | PathsLayer
  | PolygonsLayer
  | ArcsLayer
  | BinsLayer
  | CellsLayer
  | HeatLayer
  | ContoursLayer
  | GeoJsonLayer

/** The API's fields (CTRL-106); pictures without a browser are drawn without the pitch. */
export interface Viewport {
  longitude: number
  latitude: number
  zoom: number
  bearing: number
  pitch: number
}

export type Corner = 'tl' | 'tr' | 'bl' | 'br'

export interface MapSpec extends Spec {
  layers: readonly MapLayer[]
  /** What is seen at first; null: all marks. */
  viewport: Viewport | null
  legend: Corner | null
  /** The form's `mapbox_style`: which tiles lie below, where the administrator named some (`tilesOf`). */
  style?: unknown
  /** What is to be said below the picture: settings that are kept and not run. */
  notes: readonly string[]
}
