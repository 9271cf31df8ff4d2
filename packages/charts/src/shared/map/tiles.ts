import { latitudeAt, longitudeAt, mercatorX, mercatorY } from './camera.ts'

/** A square of the world: column and row among the `2 ** z` per side, starting in the northwest. */
export interface Tile {
  z: number
  x: number
  y: number
}

const maxTileZoom = 19
/** Maximum number of tiles per view: distant parts of a tilted map are coarse. */
const maxTiles = 80

/**
 * Returns the tiles that a map shows, those in the center first.
 * @param bounds west, south, east, north; longitudes may exceed the date line
 * @param zoom of the map, whose world is 512 pixels wide at 0
 */
export function listVisibleTiles([west, south, east, north]: readonly number[], zoom: number): Tile[] {
  const [left, right] = [mercatorX(west ?? 0), Math.min(mercatorX(east ?? 0), mercatorX(west ?? 0) + 1)]
  const [top, bottom] = [mercatorY(north ?? 0), mercatorY(south ?? 0)]
  for (let z = Math.max(0, Math.min(maxTileZoom, Math.round(zoom) + 1)); ; z--) {
    const side = 2 ** z
    const columns = range(Math.floor(left * side), Math.ceil(right * side))
    const rows = range(Math.max(0, Math.floor(top * side)), Math.min(side, Math.ceil(bottom * side)))
    if (z > 0 && columns.length * rows.length > maxTiles) continue
    const [middleX, middleY] = [((left + right) / 2) * side - 0.5, ((top + bottom) / 2) * side - 0.5]
    const seen = new Map<number, Tile & { away: number }>()
    for (const column of columns) {
      for (const y of rows) {
        const x = ((column % side) + side) % side
        const away = Math.hypot(column - middleX, y - middleY)
        const before = seen.get(x * side + y)
        if (!before || away < before.away) seen.set(x * side + y, { z, x, y, away })
      }
    }
    return [...seen.values()].toSorted((one, other) => one.away - other.away).map(({ x, y }) => ({ z, x, y }))
  }
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)

/** Returns the parent tile; null for the whole world. */
export const parentTile = ({ z, x, y }: Tile): Tile | null => (z === 0 ? null : { z: z - 1, x: x >> 1, y: y >> 1 })

export const tileBounds = ({ z, x, y }: Tile): [west: number, south: number, east: number, north: number] => {
  const side = 2 ** z
  return [longitudeAt(x / side), latitudeAt((y + 1) / side), longitudeAt((x + 1) / side), latitudeAt(y / side)]
}

export const tileKey = ({ z, x, y }: Tile): string => `${z}/${x}/${y}`

export const tileUrl = (url: string, { z, x, y }: Tile): string =>
  url.replaceAll('{z}', String(z)).replaceAll('{x}', String(x)).replaceAll('{y}', String(y))
