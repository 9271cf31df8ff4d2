import Supercluster from 'supercluster'
import { formatter } from '../formats/format.ts'
import { aggregateValues } from './bins.ts'
import { pixelsPerMeter } from './camera.ts'
import type { ClustersLayer } from './layers.ts'
import type { WeightedMarks } from './marks/kinds.ts'

export interface Cluster {
  longitude: number
  latitude: number
  count: number
  /** Pixels. */
  radius: number
  /** Empty for a single point without its own label. */
  text: string
  /** Index of a single point among the marks; null for a cluster. */
  at: number | null
}

/** Minimum and maximum radius of a single point in pixels. */
const [leastRadius, mostRadius] = [3, 200]

interface Own {
  at: number
}

/** Returns the clusters of the points by zoom, in whole steps; the tree is built once. */
export function clusterer(
  { positions, weights, radii }: WeightedMarks,
  layer: ClustersLayer,
  locale: string,
): (zoom: number) => Cluster[] {
  const tree = new Supercluster<Own>({ radius: Math.max(1, layer.radius), maxZoom: 18, extent: 512 })
  tree.load(
    Array.from(weights, (_, index) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [positions[2 * index]!, positions[2 * index + 1]!] },
      properties: { at: index },
    })),
  )
  const write = formatter(layer.format, locale)
  const largest = weights.length
  return (zoom) => {
    const level = layer.radius === 0 ? 19 : Math.max(0, Math.floor(zoom))
    return tree.getClusters([-180, -90, 180, 90], level).map(({ geometry, properties, id }) => {
      const [longitude, latitude] = geometry.coordinates as [number, number]
      const count = 'point_count' in properties ? properties.point_count : 1
      const place = { longitude, latitude, count }
      if (count === 1) {
        const { at } = properties as Own
        const own = radii?.[at] ?? ('fixed' in layer.pointRadius ? layer.pointRadius.fixed : leastRadius)
        const pixels = layer.unit === null || !radii ? own : own * layer.unit * pixelsPerMeter(latitude, zoom)
        return { ...place, at, radius: Math.max(leastRadius, Math.min(mostRadius, pixels)), text: '' }
      }
      const radius = Math.max(
        12,
        layer.radius * (0.25 + 0.75 * (Math.log(count) / Math.log(Math.max(2, largest)))) * 0.6,
      )
      const numbers = () => tree.getLeaves(id as number, Infinity).map((leaf) => weights[leaf.properties.at]!)
      const value = layer.label ? aggregateValues(numbers(), layer.label.aggregate) : count
      return { ...place, at: null, radius, text: write(value) }
    })
  }
}
