import { geoEquirectangular, geoPath, type GeoPermissibleObjects } from 'd3-geo'
import { feature, mesh } from 'topojson-client'
import { loadWorld, type World, type WorldDetail } from '../world.ts'
import { maxLatitude } from './camera.ts'
import { buildArea, nestRings, type Area } from './rings.ts'

/** Base map below the marks. */
export interface BaseMap {
  land: Area[]
  /** Lines between countries, alternating longitude and latitude. */
  borders: Float64Array[]
}

const known = new Map<WorldDetail, Promise<BaseMap>>()

/** Returns land and borders, cut at the date line, because outlines across it would be drawn around the world. */
export function loadBaseMap(detail: WorldDetail): Promise<BaseMap> {
  const found = known.get(detail) ?? loadWorld(detail).then(buildBaseMap)
  known.set(detail, found)
  // Failed fetches are retried.
  found.catch(() => known.delete(detail))
  return found
}

/** Coarse outlines look wrong when a country fills the map. */
export const detailForZoom = (zoom: number): WorldDetail => (zoom < 2.5 ? '110m' : '50m')

function buildBaseMap(world: World): BaseMap {
  const { land, countries } = world.objects
  const polygons = feature(world, land).features.flatMap(({ geometry }) =>
    geometry.type === 'MultiPolygon' ? geometry.coordinates : geometry.type === 'Polygon' ? [geometry.coordinates] : [],
  ) as Line[][]
  return {
    land: polygons.flatMap((rings) => {
      if (!rings.some(crosses)) return buildArea(rings.map((ring) => ring.map(clampLatitude)))
      return nestRings(splitAtDateLine({ type: 'Polygon', coordinates: rings }).map((ring) => [...ring, ring[0]!]))
    }),
    borders: (mesh(world, countries, (one, other) => one !== other).coordinates as Line[]).map((line) =>
      Float64Array.from(line.map(clampLatitude).flat()),
    ),
  }
}

type Line = [longitude: number, latitude: number][]

/** A step over half of the world crosses the date line, and only Antarctica reaches a pole. */
const crosses = (ring: Line): boolean =>
  ring.some(([longitude, latitude], index) => {
    const [before] = ring[Math.max(0, index - 1)]!
    return Math.abs(longitude - before) > 180 || latitude < -89
  })

const clampLatitude = ([longitude, latitude]: Line[number]): Line[number] => [
  longitude,
  Math.max(-maxLatitude, Math.min(maxLatitude, latitude)),
]

/** Returns the lines of an object on a flat map, where d3-geo cuts them at the date line. */
function splitAtDateLine(object: GeoPermissibleObjects): Line[] {
  const lines: Line[] = []
  const flat = geoEquirectangular()
    .scale(180 / Math.PI)
    .translate([0, 0])
    .precision(0)
  const add = (x: number, y: number) => lines.at(-1)?.push(clampLatitude([x, -y]))
  geoPath(flat, {
    beginPath: () => undefined,
    moveTo: (x, y) => {
      lines.push([])
      add(x, y)
    },
    lineTo: add,
    closePath: () => undefined,
    arc: () => undefined,
  })(object)
  return lines
}
