import type { Spec } from '../../define.ts'

/** Location of a row by columns of the response; the names are those of the API (CTRL-113). */
export type LocationSource =
  | { type: 'latlong'; latCol: string; lonCol: string }
  /** Longitude first, or latitude when reversed. */
  | { type: 'delimited'; lonlatCol: string; delimiter: string; reverseCheckbox: boolean }
  | { type: 'geohash'; geohashCol: string }

/** Format of a stored line or area: GeoJSON or a list of pairs, an encoded polyline, or a geohash (its box). */
export interface ShapeColumn {
  column: string
  type: 'json' | 'polyline' | 'geohash' | 'zipcode'
  /** Latitude comes first in pairs. */
  isLatFirst: boolean
}

/** A color as stored in documents, or a position from 0 to 1 on a ramp of the theme. */
export type Paint = string | { scheme: string; at: number }

/** One color of a layer; named colors appear in the legend. */
export interface LayerColor {
  paint: Paint
  /** 0 to 1. */
  alpha: number
  name?: string
}

/** Colors of rows. */
export type ColorEncoding =
  | { by: 'one'; color: LayerColor }
  /** One color per label of a column. */
  | { by: 'label'; column: string; values: readonly (string | null)[]; colors: readonly LayerColor[] }
  /** Values of a column in steps: `ends` has one more entry than there are colors. */
  | { by: 'steps'; column: string; bounds: readonly number[]; colors: readonly LayerColor[] }

/** A line of the tooltip: a column of the response and its name. */
export interface TooltipField {
  column: string
  name: string
  format: string
}

export type LengthUnit = 'meters' | 'pixels'

/** Aggregates of a bin's values, by their names in the API. */
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
  /** Name of the response frame that it reads. */
  frame: string
  tooltip: readonly TooltipField[]
  /** Columns whose values identify a mark in filters. */
  keys: readonly string[]
}

export interface PointsLayer extends Base {
  kind: 'points'
  location: LocationSource
  colors: ColorEncoding
  /** One value for all, or a column: an area if `isArea`, else a radius. */
  size: { fixed: number } | { column: string }
  isArea: boolean
  /** Meters per unit of the size. */
  unit: number
  /** Minimum and maximum radius in pixels. */
  minRadius: number
  maxRadius: number
}

export interface ClustersLayer extends Base {
  kind: 'clusters'
  location: LocationSource
  color: LayerColor
  /** Distance in pixels within which points are clustered; 0 disables clustering. */
  radius: number
  /** Radius of a single point: pixels or a column. */
  pointRadius: { fixed: number } | { column: string }
  /** Meters per unit of a column's radius; null when it is in pixels. */
  unit: number | null
  /** Text of a cluster: the count, or an aggregate of a column. */
  label: { column: string; aggregate: BinAggregate } | null
  format: string
}

export interface PathsLayer extends Base {
  kind: 'paths'
  shape: ShapeColumn
  color: LayerColor
  width: number
  unit: LengthUnit
}

export interface PolygonsLayer extends Base {
  kind: 'polygons'
  shape: ShapeColumn
  colors: ColorEncoding
  stroke: LayerColor
  isFilled: boolean
  isStroked: boolean
  isExtruded: boolean
  width: number
  unit: LengthUnit
  /** In meters: one value for all, or a column. */
  elevation: { fixed: number } | { column: string } | null
  multiplier: number
}

export interface ArcsLayer extends Base {
  kind: 'arcs'
  from: LocationSource
  to: LocationSource
  colors: ColorEncoding
  target: LayerColor
  width: number
}

export interface BinsLayer extends Base {
  kind: 'bins'
  location: LocationSource
  shape: 'hexagon' | 'square'
  /** In meters: side of a square, radius of a hexagon. */
  cellSize: number
  weight: string | null
  aggregate: BinAggregate
  scheme: string
  steps: number
  alpha: number
  isExtruded: boolean
  format: string
  /** For the names of the steps in the legend. */
  locale: string
  /** Names of the value and of the count of its points. */
  name: string
  countName: string
}

export interface CellsLayer extends Base {
  kind: 'cells'
  location: LocationSource
  weight: string | null
  /** Pixels. */
  cellSize: number
  color: LayerColor
  format: string
  name: string
}

export interface HeatLayer extends Base {
  kind: 'heat'
  location: LocationSource
  weight: string | null
  radius: number
  intensity: number
  isMean: boolean
  scheme: string
}

export interface Contour {
  low: number
  /** Null for a line at `low`; otherwise the area between the two. */
  high: number | null
  color: string
  alpha: number
  width: number
}

export interface ContoursLayer extends Base {
  kind: 'contours'
  location: LocationSource
  weight: string | null
  /** Meters. */
  cellSize: number
  aggregate: BinAggregate
  contours: readonly Contour[]
  name: string
  format: string
}

export interface GeoJsonLayer extends Base {
  kind: 'geojson'
  column: string
  fill: LayerColor
  stroke: LayerColor
  isFilled: boolean
  isStroked: boolean
  isExtruded: boolean
  width: number
  unit: LengthUnit
  pointRadius: number
  /** Unit of the radius. */
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

/** Fields of the API (CTRL-106); static images ignore the pitch. */
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
  /** Initial view; null fits all marks. */
  viewport: Viewport | null
  legend: Corner | null
  /** The form's `mapbox_style`: selects the tiles among those configured by the administrator (`resolveTiles`). */
  style?: unknown
  /** Notes below the map, such as settings that are stored but not run. */
  notes: readonly string[]
}
