import { numberAt, textAt, type Column, type Frame } from '@parquetry/frame'
import { findColumn } from '../column.ts'
import type { LocationSource } from './layers.ts'

/** Returns the columns from which a location is read. */
export const columnsOfLocation = (place: LocationSource): string[] =>
  place.type === 'latlong'
    ? [place.lonCol, place.latCol]
    : [place.type === 'delimited' ? place.lonlatCol : place.geohashCol]

/** Longitude and latitude of a row; null when it has none or they are not on the globe. */
export type Locator = (row: number) => readonly [longitude: number, latitude: number] | null

export function createLocator(frame: Frame, place: LocationSource): Locator {
  const columns = columnsOfLocation(place).map((name) => findColumn(frame, name))
  if (columns.some((column) => !column)) return () => null
  const [first, second] = columns as [Column, Column]
  if (place.type === 'latlong') {
    const [longitude, latitude] = [coordinates(first), coordinates(second)]
    return (row) => onGlobe(longitude(row), latitude(row))
  }
  if (place.type === 'geohash')
    return (row) => {
      const box = decodeGeohash(textAt(first, row) ?? '')
      return box && [(box.west + box.east) / 2, (box.south + box.north) / 2]
    }
  const { delimiter, reverseCheckbox } = place
  return (row) => {
    const parts = (textAt(first, row) ?? '').split(delimiter)
    if (parts.length !== 2) return null
    const [one, other] = parts.map(parseNumber) as [number | null, number | null]
    return reverseCheckbox ? onGlobe(other, one) : onGlobe(one, other)
  }
}

/** Reads the numbers of a column, also when stored as text. */
function coordinates(column: Column): (row: number) => number | null {
  if (column.kind !== 'string') return (row) => numberAt(column, row)
  return (row) => parseNumber(textAt(column, row) ?? '')
}

const parseNumber = (text: string): number | null => {
  const number = Number(text)
  return text.trim() === '' || !Number.isFinite(number) ? null : number
}

const onGlobe = (longitude: number | null, latitude: number | null) =>
  longitude === null || latitude === null || Math.abs(longitude) > 180 || Math.abs(latitude) > 90
    ? null
    : ([longitude, latitude] as const)

const geohashSigns = '0123456789bcdefghjkmnpqrstuvwxyz'

/** Returns the box of a geohash; null for invalid text. */
export function decodeGeohash(hash: string): { west: number; south: number; east: number; north: number } | null {
  if (hash === '' || hash.length > 24) return null
  const box = { west: -180, south: -90, east: 180, north: 90 }
  let isLongitude = true
  for (const sign of hash.toLowerCase()) {
    const bits = geohashSigns.indexOf(sign)
    if (bits < 0) return null
    for (let bit = 4; bit >= 0; bit--, isLongitude = !isLongitude) {
      const isUpper = ((bits >> bit) & 1) === 1
      if (isLongitude) {
        const middle = (box.west + box.east) / 2
        if (isUpper) box.west = middle
        else box.east = middle
      } else {
        const middle = (box.south + box.north) / 2
        if (isUpper) box.south = middle
        else box.north = middle
      }
    }
  }
  return box
}

/**
 * Decodes an encoded polyline into pairs of longitude and latitude.
 * @see https://developers.google.com/maps/documentation/utilities/polylinealgorithm
 */
export function decodePolyline(text: string): [number, number][] {
  const pairs: [number, number][] = []
  let [latitude, longitude, at] = [0, 0, 0]
  const next = (): number => {
    let [value, shift, byte] = [0, 0, 0]
    do {
      byte = text.charCodeAt(at++) - 63
      if (!(byte >= 0 && byte < 64)) throw new RangeError('no polyline')
      value |= (byte & 31) << shift
      shift += 5
    } while (byte >= 32)
    return value & 1 ? ~(value >> 1) : value >> 1
  }
  while (at < text.length) {
    latitude += next()
    longitude += next()
    pairs.push([longitude / 1e5, latitude / 1e5])
  }
  return pairs
}

/**
 * Returns the equivalent longitude nearest to another one, so that a line across the date line continues beyond 180 degrees
 * instead of around the world.
 */
export const nearestLongitude = (longitude: number, to: number): number =>
  longitude + 360 * Math.round((to - longitude) / 360)
