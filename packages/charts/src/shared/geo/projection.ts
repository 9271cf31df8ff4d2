import { geoConicEqualArea, geoEqualEarth, geoPath, type GeoPermissibleObjects, type GeoProjection } from 'd3-geo'
import { boundsOf, type GeoRegion } from './geo-map.ts'

/** In pixels. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

const cornersOf = ({ x, y, width, height }: Box): [[number, number], [number, number]] => [
  [x, y],
  [x + Math.max(1, width), y + Math.max(1, height)],
]

/** The earth without the south beyond the inhabited land, or with it. */
export const worldIn = (box: Box, { isWhole = false } = {}): GeoProjection => {
  const coordinates = [
    [-180, 0],
    [180, 0],
    [0, isWhole ? -90 : -56],
    [0, 83.7],
  ]
  return geoEqualEarth().fitExtent(cornersOf(box), { type: 'MultiPoint', coordinates })
}

/** Some regions as large as a box allows, as a map of their own would show them: areas are true, north is up in the middle. */
export function regionsIn(box: Box, regions: readonly GeoRegion[]): GeoProjection {
  const [west, south, east, north] = boundsOf(regions)
  const sixth = (north - south) / 6
  return geoConicEqualArea()
    .parallels([south + sixth, north - sixth])
    .rotate([-(west + east) / 2, 0])
    .fitExtent(cornersOf(box), collectionOf(regions))
}

/** Width by height of regions in their projection. */
export function aspectOf(regions: readonly GeoRegion[]): number {
  const [[left, top], [right, bottom]] = geoPath(regionsIn({ x: 0, y: 0, width: 1000, height: 1000 }, regions)).bounds(
    collectionOf(regions),
  )
  return (right - left) / Math.max(1, bottom - top)
}

const collectionOf = (regions: readonly GeoRegion[]): GeoPermissibleObjects => ({
  type: 'GeometryCollection',
  geometries: regions.map(({ shape }) => shape),
})

/** Corners nearer to the last one than this many pixels are not drawn, nor is a ring that has no three of them. */
const least = 0.8

/** The outline of a shape as path data. */
export const outlineIn = (projection: GeoProjection): ((shape: GeoPermissibleObjects) => string) => {
  const path = geoPath({ stream: (to) => projection.stream(thinned(to)) }).digits(1)
  return (shape) => path(shape) ?? ''
}

type Stream = Parameters<GeoProjection['stream']>[0]

function thinned(to: Stream): Stream {
  let line: [number, number][] = []
  return {
    point(x, y) {
      const last = line.at(-1)
      if (!last || Math.abs(x - last[0]) >= least || Math.abs(y - last[1]) >= least) line.push([x, y])
    },
    lineStart() {
      line = []
    },
    lineEnd() {
      if (line.length < 3) return
      to.lineStart()
      for (const [x, y] of line) to.point(x, y)
      to.lineEnd()
    },
    polygonStart: () => to.polygonStart(),
    polygonEnd: () => to.polygonEnd(),
    sphere: () => to.sphere?.(),
  }
}
