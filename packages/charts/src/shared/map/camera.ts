import type { Viewport } from './layers.ts'

/** Side of the whole world in pixels at zoom 0. */
const side = 512
/** Web maps do not show higher latitudes. */
export const maxLatitude = 85.051129
export const maxZoom = 20

const { PI, atan, exp, log, max, min, tan } = Math

/** Web Mercator: the world is a square from 0 to 1, north at 0. */
export const mercatorX = (longitude: number): number => (longitude + 180) / 360
export const mercatorY = (latitude: number): number => {
  const clamped = max(-maxLatitude, min(maxLatitude, latitude))
  return 0.5 - log(tan(PI / 4 + (clamped * PI) / 360)) / (2 * PI)
}
export const longitudeAt = (x: number): number => x * 360 - 180
export const latitudeAt = (y: number): number => (atan(exp((0.5 - y) * 2 * PI)) * 360) / PI - 90

/** Meters along the equator. */
const circumference = 40_075_016.686
/** Returns the size of a meter on the ground at a latitude, as a fraction of the world's side. */
export const worldUnitsPerMeter = (latitude: number): number =>
  1 / (circumference * max(0.01, Math.cos((min(maxLatitude, Math.abs(latitude)) * PI) / 180)))

export const pixelsPerMeter = (latitude: number, zoom: number): number =>
  worldUnitsPerMeter(latitude) * side * 2 ** zoom

export interface Bounds {
  west: number
  south: number
  east: number
  north: number
}

export const emptyBounds = (): Bounds => ({ west: Infinity, south: Infinity, east: -Infinity, north: -Infinity })

export function extendBounds(bounds: Bounds, longitude: number, latitude: number): void {
  bounds.west = min(bounds.west, longitude)
  bounds.east = max(bounds.east, longitude)
  bounds.south = min(bounds.south, latitude)
  bounds.north = max(bounds.north, latitude)
}

interface Room {
  width: number
  height: number
}

const whole: Bounds = { west: -170, south: -56, east: 170, north: 72 }

/** Returns true when the whole world fits the width, so that it is shown only once. */
export const isWholeWorld = (
  { zoom, longitude, bearing = 0 }: Pick<Viewport, 'zoom' | 'longitude'> & Partial<Viewport>,
  width: number,
): boolean => bearing === 0 && side * 2 ** zoom * (1 / 2 + Math.abs(longitude) / 360) <= width / 2

/** Returns the view that shows all of the bounds with a margin; the inhabited world when they are empty. */
export function fitViewport(given: Bounds, { width, height }: Room): Viewport {
  const bounds = Number.isFinite(given.west) ? given : whole
  const [left, right] = [mercatorX(bounds.west), mercatorX(bounds.east)]
  const [top, bottom] = [mercatorY(bounds.north), mercatorY(bounds.south)]
  const margin = min(28, width / 10, height / 10)
  const zoomOf = (room: number, span: number) => Math.log2((room - 2 * margin) / (side * max(span, 1e-9)))
  // A single point is shown with its surroundings.
  const closest = min(12, zoomOf(width, right - left), zoomOf(height, bottom - top))
  const zoom = max(Math.log2(max(height, 100) / side) - 1, closest)
  return {
    longitude: isWholeWorld({ zoom, longitude: 0 }, width) ? 0 : longitudeAt((left + right) / 2),
    latitude: latitudeAt((top + bottom) / 2),
    zoom,
    bearing: 0,
    pitch: 0,
  }
}

/** Projects locations on the ground to pixels of a map seen from above. */
export interface Projection {
  zoom: number
  /** Side of the whole world in pixels. */
  scale: number
  project(longitude: number, latitude: number): [x: number, y: number]
}

export function createProjection(view: Viewport, { width, height }: Room): Projection {
  const scale = side * 2 ** view.zoom
  const [centerX, centerY] = [mercatorX(view.longitude), mercatorY(view.latitude)]
  const turn = (-view.bearing * PI) / 180
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  return {
    zoom: view.zoom,
    scale,
    project: (longitude, latitude) => {
      const x = (mercatorX(longitude) - centerX) * scale
      const y = (mercatorY(latitude) - centerY) * scale
      return [width / 2 + x * cos - y * sin, height / 2 + x * sin + y * cos]
    },
  }
}
