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
/** Most of the picture that boxes beside a country take. */
const most = 0.22

export interface MapLayout {
  /** Null for what is not drawn in this picture. */
  placed(region: GeoRegion): GeoProjection | null
  /** Boxes of what lies far away from the rest. */
  frames: readonly PixelBox[]
}

const antarctica = 'AQ'

/** Where each region is drawn: the world as a whole, a country with what is far from it in boxes at its side. */
export function layOutMap({ map, of, items }: RegionMarks, box: PixelBox): MapLayout {
  const regions = map?.regions ?? []
  if (of === 'world') {
    const isWhole = items.some(({ region }) => region.code === antarctica)
    const projection = worldProjection(box, { isWhole })
    return { placed: ({ code }) => (code === antarctica && !isWhole ? null : projection), frames: [] }
  }
  const main = regions.filter(({ inset }) => inset === undefined)
  const numbers = [...new Set(regions.flatMap(({ inset }) => inset ?? []))].toSorted((one, other) => one - other)
  const { rest, frames } = placeInsets(box, computeAspectRatio(main), numbers.length)
  const own = regionsProjection(rest, main)
  const beside = numbers.map((number, at) =>
    regionsProjection(
      within(frames[at] ?? rest),
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

/** Boxes stand below each other where the country leaves room at its side, else in a row under it. */
function placeInsets(box: PixelBox, aspect: number, count: number): { rest: PixelBox; frames: PixelBox[] } {
  const { x, y, width, height } = box
  if (count === 0) return { rest: box, frames: [] }
  const each = Array.from({ length: count }, (_, at) => at)
  if (width > aspect * height) {
    const high = (height - gap * (count - 1)) / count
    const wide = Math.min(width * most, high * 1.4)
    const side = Math.min(high, wide)
    const top = y + height - count * (side + gap) + gap
    return {
      rest: { x: x + wide + gap, y, width: width - wide - gap, height },
      frames: each.map((at) => ({ x, y: top + at * (side + gap), width: wide, height: side })),
    }
  }
  const wide = (width - gap * (count - 1)) / count
  const high = Math.min(height * most, wide)
  const side = Math.min(wide, high * 1.4)
  return {
    rest: { x, y, width, height: height - high - gap },
    frames: each.map((at) => ({ x: x + at * (side + gap), y: y + height - high, width: side, height: high })),
  }
}
