import { geoConicEqualArea, geoEqualEarth, geoPath, type GeoPermissibleObjects, type GeoProjection } from 'd3-geo'
import { computeGeoBounds, type GeoRegion } from './geo-map.ts'

/** In pixels. */
export interface PixelBox {
  x: number
  y: number
  width: number
  height: number
}

const toExtent = ({ x, y, width, height }: PixelBox): [[number, number], [number, number]] => [
  [x, y],
  [x + Math.max(1, width), y + Math.max(1, height)],
]

/** Projects the earth without the uninhabited south, or with it. */
export const worldProjection = (box: PixelBox, { isWhole = false } = {}): GeoProjection => {
  const coordinates = [
    [-180, 0],
    [180, 0],
    [0, isWhole ? -90 : -56],
    [0, 83.7],
  ]
  return geoEqualEarth().fitExtent(toExtent(box), { type: 'MultiPoint', coordinates })
}

/** Fits regions into a box in an equal-area projection of their own, with north up in the center. */
export function regionsProjection(box: PixelBox, regions: readonly GeoRegion[]): GeoProjection {
  const [west, south, east, north] = computeGeoBounds(regions)
  const sixth = (north - south) / 6
  return geoConicEqualArea()
    .parallels([south + sixth, north - sixth])
    .rotate([-(west + east) / 2, 0])
    .fitExtent(toExtent(box), toGeometryCollection(regions))
}

/** Returns the ratio of width to height of regions in their projection. */
export function computeAspectRatio(regions: readonly GeoRegion[]): number {
  const [[left, top], [right, bottom]] = geoPath(
    regionsProjection({ x: 0, y: 0, width: 1000, height: 1000 }, regions),
  ).bounds(toGeometryCollection(regions))
  return (right - left) / Math.max(1, bottom - top)
}

const toGeometryCollection = (regions: readonly GeoRegion[]): GeoPermissibleObjects => ({
  type: 'GeometryCollection',
  geometries: regions.map(({ shape }) => shape),
})

/** Points closer to the previous one than this number of pixels are not drawn, nor are rings with fewer than three points. */
const least = 0.8

/** Returns the outline of a shape as path data. */
export const createOutlinePath = (projection: GeoProjection): ((shape: GeoPermissibleObjects) => string) => {
  const path = geoPath({ stream: (to) => projection.stream(thinStream(to)) }).digits(1)
  return (shape) => path(shape) ?? ''
}

type Stream = Parameters<GeoProjection['stream']>[0]

function thinStream(to: Stream): Stream {
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
