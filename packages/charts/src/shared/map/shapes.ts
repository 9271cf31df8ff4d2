import { textAt, type Frame } from '@parquetry/frame'
import { columnNamed } from '../column.ts'
import type { Shape } from './layers.ts'
import { decodePolyline, geohashBox, nearestLongitude } from './place.ts'

export type Ring = [longitude: number, latitude: number][]

/** The lines of a row's shape, for an area its outline and its holes; null for a text that is none. */
export function shapeReader(frame: Frame, { column: name, type, isLatFirst }: Shape): (row: number) => Ring[] | null {
  const column = columnNamed(frame, name)
  if (!column) return () => null
  return (row) => {
    const text = textAt(column, row)
    if (text === null || text.trim() === '' || isDeep(text)) return null
    const rings = readers[type](text)?.map((ring) => (isLatFirst ? ring.map(turned) : ring))
    return rings?.length && rings.every(isOnGlobe) ? rings.map(unwrapped) : null
  }
}

/** Objects within objects beyond anything that GeoJSON means, which reading would have to follow. */
export const isDeep = (text: string): boolean => /(?:\{[^{}]*){40}/.test(text)

const turned = ([one, other]: Ring[number]): Ring[number] => [other, one]

const readers: Record<Shape['type'], (text: string) => Ring[] | null> = {
  json: (text) => linesIn(parsed(text)),
  // A list of codes has no shape of its own: only what is written as one is drawn.
  zipcode: (text) => linesIn(parsed(text)),
  polyline: (text) => {
    try {
      return [decodePolyline(text)]
    } catch {
      return null
    }
  },
  geohash: (text) => {
    const box = geohashBox(text)
    if (!box) return null
    const { west, south, east, north } = box
    const ring: Ring = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ]
    return [ring]
  },
}

export function parsed(text: string): unknown {
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

/** A list of pairs, lists of such lists, or a GeoJSON line or polygon, also as a feature. */
function linesIn(value: unknown): Ring[] | null {
  if (Array.isArray(value)) {
    if (isLine(value)) return [value]
    const lines = value.every((each) => Array.isArray(each) && each.every(isLine)) ? value.flat() : value
    return lines.length > 0 && lines.every(isLine) ? lines : null
  }
  const { geometry, coordinates } = (value ?? {}) as GeoObject
  return geometry ? linesIn(geometry) : Array.isArray(coordinates) ? linesIn(coordinates) : null
}

const isPair = (value: unknown): value is Ring[number] =>
  Array.isArray(value) && value.length >= 2 && typeof value[0] === 'number' && typeof value[1] === 'number'

export const isLine = (value: unknown): value is Ring => Array.isArray(value) && value.length > 0 && value.every(isPair)

export const closed = (ring: Ring): Ring => {
  const [first, last] = [ring[0], ring.at(-1)]
  return first && (first[0] !== last?.[0] || first[1] !== last[1]) ? [...ring, first] : ring
}

/** Some write what crosses the date line with longitudes beyond 180. */
export const isOnGlobe = (ring: Ring): boolean =>
  ring.every(([longitude, latitude]) => Math.abs(longitude) <= 360 && Math.abs(latitude) <= 90)

/** Each step the shorter way around the world; what stands in third place, a height, is left out. */
export function unwrapped(ring: Ring): Ring {
  let before = ring[0]?.[0] ?? 0
  return ring.map(([longitude, latitude]) => {
    before = nearestLongitude(longitude, before)
    return [before, latitude]
  })
}
