import { textAt, type Frame } from '@parquetry/frame'
import { findColumn } from '../column.ts'
import { parseColor } from '../colors/color.ts'
import type { GeoJsonLayer, LayerColor } from './layers.ts'
import type { TooltipFact } from './marks/kinds.ts'
import { buildArea, type Area } from './rings.ts'
import { isTooDeep, isLine, isOnGlobe, parseJson, unwrapLongitudes, type CoordinatePath } from './shapes.ts'

interface FeatureGroup<T> {
  rows: number[]
  shapes: T[]
  fills: LayerColor[]
  strokes: LayerColor[]
  facts: TooltipFact[][]
  elevations: number[]
}
const none = <T>(): FeatureGroup<T> => ({ rows: [], shapes: [], fills: [], strokes: [], facts: [], elevations: [] })

export interface Features {
  points: FeatureGroup<never> & { positions: number[] }
  lines: FeatureGroup<Float64Array>
  areas: FeatureGroup<Area>
  rowsWithoutLocation: number
}

interface GeoObject {
  type?: string
  geometry?: GeoObject | null
  geometries?: GeoObject[]
  features?: GeoObject[]
  coordinates?: unknown
  properties?: Record<string, unknown> | null
}

/** Reads the GeoJSON of each row: a geometry, a feature or a collection of them. */
export function readFeatures(frame: Frame, layer: GeoJsonLayer): Features {
  const found: Features = {
    points: { ...none<never>(), positions: [] },
    lines: none(),
    areas: none(),
    rowsWithoutLocation: 0,
  }
  const column = findColumn(frame, layer.column)
  if (!column) return { ...found, rowsWithoutLocation: frame.rows }
  for (let row = 0; row < frame.rows; row++) {
    const text = textAt(column, row)
    const count = text === null || isTooDeep(text) ? 0 : add(found, parseJson(text), row, layer, {})
    if (count === 0) found.rowsWithoutLocation += 1
  }
  return found
}

type Properties = Record<string, unknown>

/** @returns number of its geometries that are drawn */
function add(found: Features, value: unknown, row: number, layer: GeoJsonLayer, properties: Properties): number {
  const object = (typeof value === 'object' && value !== null ? value : {}) as GeoObject
  const own = object.properties && typeof object.properties === 'object' ? object.properties : properties
  const all = (list: unknown) =>
    (Array.isArray(list) ? list : []).reduce((sum: number, each) => sum + add(found, each, row, layer, own), 0)
  const parts = (kind: string) =>
    (Array.isArray(object.coordinates) ? object.coordinates : []).reduce(
      (sum: number, coordinates) => sum + add(found, { type: kind, coordinates }, row, layer, own),
      0,
    )
  const note = (group: FeatureGroup<unknown>) => {
    group.rows.push(row)
    group.fills.push(readLayerColor(own, ['fillColor', 'fill-color', 'fill'], layer.fill))
    group.strokes.push(readLayerColor(own, ['strokeColor', 'stroke-color', 'stroke'], layer.stroke))
    group.facts.push(toTooltipRows(own))
    group.elevations.push(typeof own['elevation'] === 'number' ? own['elevation'] : 0)
    return 1
  }
  const { coordinates } = object
  switch (object.type) {
    case 'FeatureCollection':
      return all(object.features)
    case 'Feature':
      return add(found, object.geometry, row, layer, own)
    case 'GeometryCollection':
      return all(object.geometries)
    case 'MultiPoint':
    case 'MultiLineString':
    case 'MultiPolygon':
      return parts(object.type.slice('Multi'.length))
    case 'Point': {
      const [pair] = isLine([coordinates]) ? [coordinates as CoordinatePath[number]] : []
      if (!pair || !isOnGlobe([pair])) return 0
      found.points.positions.push(pair[0], pair[1])
      return note(found.points)
    }
    case 'LineString':
      if (!isLine(coordinates) || !isOnGlobe(coordinates)) return 0
      found.lines.shapes.push(Float64Array.from(unwrapLongitudes(coordinates).flat()))
      return note(found.lines)
    case 'Polygon': {
      const rings = (Array.isArray(coordinates) ? coordinates : []) as unknown[]
      if (rings.length === 0 || !rings.every((ring) => isLine(ring) && isOnGlobe(ring))) return 0
      found.areas.shapes.push(buildArea((rings as CoordinatePath[]).map(unwrapLongitudes)))
      return note(found.areas)
    }
    default:
      return 0
  }
}

/** Returns the color of a feature's properties if it is valid. */
function readLayerColor(properties: Properties, names: readonly string[], otherwise: LayerColor): LayerColor {
  const given = names.map((name) => properties[name]).find((value) => value !== undefined)
  if (Array.isArray(given) && given.length >= 3 && given.every((part) => typeof part === 'number')) {
    const [red, green, blue, alpha = 255] = given as number[]
    return { paint: `rgb(${[red, green, blue].map((part) => Math.round(part!)).join(',')})`, alpha: alpha / 255 }
  }
  return typeof given === 'string' && parseColor(given) ? { paint: given, alpha: otherwise.alpha } : otherwise
}

const maxFacts = 8

const toTooltipRows = (properties: Properties): TooltipFact[] =>
  Object.entries(properties)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .slice(0, maxFacts)
    .map(([name, value]) => ({ name, value: value as TooltipFact['value'], format: 'PLAIN_NUMBER' }))
