import type { GeoProjection } from 'd3-geo'
import type { GeoRegion } from '../../../shared/geo/geo-map.ts'
import {
  computeAspectRatio,
  regionsProjection,
  worldProjection,
  type PixelBox,
} from '../../../shared/geo/projection.ts'
import type { RegionMarks } from './marks.ts'

const gap = 12
/** Maximum share of the chart for inset boxes beside a country. */
const maxInsetShare = 0.22

export interface MapLayout {
  /** Returns null for regions that are not drawn in this chart. */
  placed(region: GeoRegion): GeoProjection | null
  /** Inset boxes for remote regions. */
  frames: readonly PixelBox[]
}

const antarctica = 'AQ'

/** Lays out the regions: the world as a whole, or a country with its remote regions in inset boxes. */
export function layOutMap({ map, mapKey, items }: RegionMarks, box: PixelBox): MapLayout {
  const regions = map?.regions ?? []
  if (mapKey === 'world') {
    const isWhole = items.some(({ region }) => region.code === antarctica)
    const projection = worldProjection(box, { isWhole })
    return { placed: ({ code }) => (code === antarctica && !isWhole ? null : projection), frames: [] }
  }
  const main = regions.filter(({ inset }) => inset === undefined)
  const numbers = [...new Set(regions.flatMap(({ inset }) => inset ?? []))].toSorted((one, other) => one - other)
  const { rest, frames } = placeInsets(box, computeAspectRatio(main), numbers.length)
  const own = regionsProjection(rest, main)
  const beside = numbers.map((number, index) =>
    regionsProjection(
      within(frames[index] ?? rest),
      regions.filter(({ inset }) => inset === number),
    ),
  )
  return { placed: ({ inset }) => beside[numbers.indexOf(inset ?? -1)] ?? own, frames }
}

const within = ({ x, y, width, height }: PixelBox): PixelBox => ({
  x: x + 4,
  y: y + 4,
  width: width - 8,
  height: height - 8,
})

/** Places inset boxes in a column beside the country if there is space, otherwise in a row below it. */
function placeInsets(box: PixelBox, aspect: number, count: number): { rest: PixelBox; frames: PixelBox[] } {
  const { x, y, width, height } = box
  if (count === 0) return { rest: box, frames: [] }
  const each = Array.from({ length: count }, (_, index) => index)
  if (width > aspect * height) {
    const high = (height - gap * (count - 1)) / count
    const wide = Math.min(width * maxInsetShare, high * 1.4)
    const side = Math.min(high, wide)
    const top = y + height - count * (side + gap) + gap
    return {
      rest: { x: x + wide + gap, y, width: width - wide - gap, height },
      frames: each.map((index) => ({ x, y: top + index * (side + gap), width: wide, height: side })),
    }
  }
  const wide = (width - gap * (count - 1)) / count
  const high = Math.min(height * maxInsetShare, wide)
  const side = Math.min(wide, high * 1.4)
  return {
    rest: { x, y, width, height: height - high - gap },
    frames: each.map((index) => ({ x: x + index * (side + gap), y: y + height - high, width: side, height: high })),
  }
}
