import { textAt, type Frame } from '@parquetry/frame'
import { findColumn } from '../column.ts'
import type { ShapeColumn } from './layers.ts'
import { decodePolyline, decodeGeohash, nearestLongitude } from './location.ts'

export type CoordinatePath = [longitude: number, latitude: number][]

/** Returns a reader of the lines of a row's shape, for an area its outline and holes; null for invalid text. */
export function createShapeReader(
  frame: Frame,
  { column: name, type, isLatFirst }: ShapeColumn,
): (row: number) => CoordinatePath[] | null {
  const column = findColumn(frame, name)
  if (!column) return () => null
  return (row) => {
    const text = textAt(column, row)
    if (text === null || text.trim() === '' || isTooDeep(text)) return null
    const rings = readers[type](text)?.map((ring) => (isLatFirst ? ring.map(swapPair) : ring))
    return rings?.length && rings.every(isOnGlobe) ? rings.map(unwrapLongitudes) : null
  }
}

/** Returns true for nesting deeper than any valid GeoJSON, which would be expensive to parse. */
export const isTooDeep = (text: string): boolean => /(?:\{[^{}]*){40}/.test(text)

const swapPair = ([one, other]: CoordinatePath[number]): CoordinatePath[number] => [other, one]

const readers: Record<ShapeColumn['type'], (text: string) => CoordinatePath[] | null> = {
  json: (text) => readPaths(parseJson(text)),
  // Zip codes have no shape of their own, so only text with a shape is drawn.
  zipcode: (text) => readPaths(parseJson(text)),
  polyline: (text) => {
    try {
      return [decodePolyline(text)]
    } catch {
      return null
    }
  },
  geohash: (text) => {
    const box = decodeGeohash(text)
    if (!box) return null
    const { west, south, east, north } = box
    const ring: CoordinatePath = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ]
    return [ring]
  },
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

interface GeoObject {
  type?: string
  geometry?: unknown
  coordinates?: unknown
}

/** Reads a list of pairs, a list of such lists, or a GeoJSON line or polygon, also as a feature. */
function readPaths(value: unknown): CoordinatePath[] | null {
  if (Array.isArray(value)) {
    if (isLine(value)) return [value]
    const lines = value.every((each) => Array.isArray(each) && each.every(isLine)) ? value.flat() : value
    return lines.length > 0 && lines.every(isLine) ? lines : null
  }
  const { geometry, coordinates } = (value ?? {}) as GeoObject
  return geometry ? readPaths(geometry) : Array.isArray(coordinates) ? readPaths(coordinates) : null
}

const isPair = (value: unknown): value is CoordinatePath[number] =>
  Array.isArray(value) && value.length >= 2 && typeof value[0] === 'number' && typeof value[1] === 'number'

export const isLine = (value: unknown): value is CoordinatePath =>
  Array.isArray(value) && value.length > 0 && value.every(isPair)

export const closePath = (ring: CoordinatePath): CoordinatePath => {
  const [first, last] = [ring[0], ring.at(-1)]
  return first && (first[0] !== last?.[0] || first[1] !== last[1]) ? [...ring, first] : ring
}

/** Some sources use longitudes beyond 180 for shapes across the date line. */
export const isOnGlobe = (ring: CoordinatePath): boolean =>
  ring.every(([longitude, latitude]) => Math.abs(longitude) <= 360 && Math.abs(latitude) <= 90)

/** Makes each step follow the shorter route around the world, and drops heights in third position. */
export function unwrapLongitudes(ring: CoordinatePath): CoordinatePath {
  let before = ring[0]?.[0] ?? 0
  return ring.map(([longitude, latitude]) => {
    before = nearestLongitude(longitude, before)
    return [before, latitude]
  })
}
