import type { Items } from '../../items/of-items.ts'
import { areaOf, readParts, type Part } from '../../levels/marks.ts'
import type { SpecSeries } from '../family.ts'

export interface Ring extends Part {
  /** 0 is the innermost ring. */
  depth: number
  /** Its own area, or that of its parts: what is below nothing in there has none. */
  area: number
  /** Sum of the secondary metric, and what that is. */
  second?: number | null
  secondOf?: { name: string; format: string }
  /** From 0 to 1, where its rate of both metrics lies among the others; null where it has none. */
  rate: number | null
}

export function readRings(series: SpecSeries): Items<Ring> {
  const { items: parts, ...marks } = readParts(series)
  const items = parts as Ring[]
  for (const item of items) {
    item.depth = item.parent === null ? 0 : (items[item.parent]?.depth ?? 0) + 1
    item.area = item.isLeaf ? areaOf(item) : 0
    if (series.second) item.secondOf = series.second as NonNullable<Ring['secondOf']>
  }
  // the parts of a part stand behind it
  for (const item of items.toReversed()) {
    const around = item.parent === null ? undefined : items[item.parent]
    if (around) around.area += item.area
  }
  rateAll(items)
  return { ...marks, items }
}

function rateAll(items: Ring[]): void {
  const rateOf = ({ area, second }: Ring) => (area > 0 && typeof second === 'number' ? second / area : null)
  const rates = items.flatMap((item) => rateOf(item) ?? [])
  const low = rates.reduce((least, rate) => Math.min(least, rate), Infinity)
  const high = rates.reduce((most, rate) => Math.max(most, rate), -Infinity)
  for (const item of items) {
    const rate = rateOf(item)
    item.rate = rate === null ? null : high > low ? (rate - low) / (high - low) : 1
  }
}
