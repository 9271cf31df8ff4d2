import type { Items } from '../../items/items-family.ts'
import { areaOf, readHierarchy, type HierarchyItem } from '../../levels/marks.ts'
import type { SpecSeries } from '../family.ts'

export interface RingSegment extends HierarchyItem {
  /** 0 is the innermost ring. */
  depth: number
  /** Area of the part or of its children; negative numbers have none. */
  area: number
  /** Sum of the secondary metric, and the metric itself. */
  second?: number | null
  secondOf?: { name: string; format: string }
  /** Position of the ratio of both metrics among all parts, 0 to 1; null if there is no ratio. */
  rate: number | null
}

export function readRingSegments(series: SpecSeries): Items<RingSegment> {
  const { items: parts, ...marks } = readHierarchy(series)
  const items = parts as RingSegment[]
  for (const item of items) {
    item.depth = item.parent === null ? 0 : (items[item.parent]?.depth ?? 0) + 1
    item.area = item.isLeaf ? areaOf(item) : 0
    if (series.second) item.secondOf = series.second as NonNullable<RingSegment['secondOf']>
  }
  // children follow their parents
  for (const item of items.toReversed()) {
    const around = item.parent === null ? undefined : items[item.parent]
    if (around) around.area += item.area
  }
  assignRates(items)
  return { ...marks, items }
}

function assignRates(items: RingSegment[]): void {
  const rateOf = ({ area, second }: RingSegment) => (area > 0 && typeof second === 'number' ? second / area : null)
  const rates = items.flatMap((item) => rateOf(item) ?? [])
  const low = rates.reduce((least, rate) => Math.min(least, rate), Infinity)
  const high = rates.reduce((most, rate) => Math.max(most, rate), -Infinity)
  for (const item of items) {
    const rate = rateOf(item)
    item.rate = rate === null ? null : high > low ? (rate - low) / (high - low) : 1
  }
}
