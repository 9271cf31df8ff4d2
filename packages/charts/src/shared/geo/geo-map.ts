import { feature } from 'topojson-client'
import { maps } from './maps.gen.ts'

type Position = number[]

/** As in GeoJSON, longitude before latitude. */
export interface GeoShape {
  type: 'MultiPolygon'
  coordinates: Position[][][]
}

/** A country of the world or a region of a country. */
export interface GeoRegion {
  /** ISO 3166; empty for land without a code, which data cannot reference. */
  code: string
  name: string
  /** Other names and former codes. */
  names?: readonly string[]
  cca3?: string
  cioc?: string
  /** Number of its separate inset box next to the others. */
  inset?: number
  /** Longitude and latitude of its center. */
  at?: readonly [number, number]
  /** Without a polygon if the source has none; it is then drawn as a point. */
  shape: GeoShape
}

export interface GeoMap {
  regions: readonly GeoRegion[]
  /** Groups, each the union of some of the regions. */
  groups: readonly GeoRegion[]
}

const loaded = new Map<string, GeoMap>()

/** Fetches a map; does nothing for an unknown key. */
export async function loadMap(key: string): Promise<void> {
  if (loaded.has(key) || !Object.hasOwn(maps, key)) return
  const text = (await maps[key]?.())?.default
  if (text !== undefined) loaded.set(key, read(JSON.parse(text) as Topology))
}

/** Returns a fetched map; undefined if there is none with this key. */
export const mapOf = (key: string): GeoMap | undefined => loaded.get(key)

type Topology = Parameters<typeof feature>[0]
interface Written {
  features: {
    properties: Omit<GeoRegion, 'shape'>
    geometry: GeoShape | { type: 'Polygon'; coordinates: Position[][] } | null
  }[]
}

function read(topology: Topology): GeoMap {
  const { regions, groups } = topology.objects
  const regionsOf = (objects: typeof regions): GeoRegion[] =>
    objects
      ? (feature(topology, objects) as unknown as Written).features.map(({ properties, geometry }) => ({
          ...properties,
          shape: { type: 'MultiPolygon', coordinates: polygonsOf(geometry) },
        }))
      : []
  return { regions: regionsOf(regions), groups: regionsOf(groups) }
}

const polygonsOf = (geometry: Written['features'][number]['geometry']): Position[][][] =>
  geometry?.type === 'Polygon' ? [geometry.coordinates] : (geometry?.coordinates ?? [])

/** Returns true when the region has a polygon. */
export const hasShape = ({ shape }: GeoRegion): boolean => shape.coordinates.length > 0

/** Returns west, south, east and north of regions; east exceeds 180 if they span the date line. */
export function computeGeoBounds(
  regions: readonly GeoRegion[],
): [west: number, south: number, east: number, north: number] {
  const corners = regions.flatMap(({ shape }) => shape.coordinates.flatMap(([outer = []]) => outer))
  const along = corners.map(([x = 0]) => x).toSorted((one, other) => one - other)
  const up = corners.map(([, y = 0]) => y).toSorted((one, other) => one - other)
  // the widest stretch without land is outside: between two corners, or across the date line
  const [first = 0, last = 0] = [along[0], along.at(-1)]
  let [west, east, widest] = [first, last, first + 360 - last]
  for (const [at, x] of along.entries()) {
    const before = along[at - 1] ?? x
    if (x - before > widest) [west, east, widest] = [x, before + 360, x - before]
  }
  return [west, up[0] ?? 0, east, up.at(-1) ?? 0]
}
