import { mapOf, type GeoMap, type GeoRegion } from '../../../shared/geo/geo-map.ts'
import { ramps } from '../../../shared/colors/ramps.ts'
import type { Items } from '../../items/items-family.ts'
import { othersColor } from '../../paint.ts'
import type { SpecItem, SpecSeries } from '../family.ts'
import { createRegionFinder, type CodeKind } from './region-finder.ts'

export interface MapMeasure {
  name: string
  /** Of its column. */
  label: string
  format: string
}

/** A row whose place is on the map. */
export interface MapRegionItem extends SpecItem {
  region: GeoRegion
  /** The name that the row has for it. */
  said: string
  size: number | null
}

export interface RegionMarks extends Items<MapRegionItem> {
  /** Null where there is no map of that key. */
  map: GeoMap | null
  /** Key of the map, as the form has it. */
  of: string
  measures: readonly MapMeasure[]
  /** Null where each place has a colour of its own. */
  ramp: string | null
  /** What the ends of the ramp stand for; null where nothing has a number. */
  range: readonly [low: number, high: number] | null
  /** What rows call places that the map does not know. */
  unknown: readonly string[]
  /** What rows call places that a row before them has called already. */
  duplicates: readonly string[]
}

/** From the largest to the smallest, those without a number last. */
export function readRegionMarks(series: SpecSeries): RegionMarks {
  const {
    needs = '',
    asked,
    by,
    iso,
    measures,
    ramp = null,
  } = series as SpecSeries & {
    asked?: string
    by: CodeKind
    iso?: string
    measures: readonly MapMeasure[]
    ramp?: string | null
  }
  const map = mapOf(needs) ?? null
  const find = map && createRegionFinder(map, { by, iso })
  const [unknown, again] = [[] as string[], [] as string[]]
  const items = new Map<GeoRegion, MapRegionItem>()
  for (const item of (series.data ?? []) as (SpecItem & { size: number | null })[]) {
    const region = find?.(item.name)
    if (!region) unknown.push(item.name)
    else if (items.has(region)) again.push(item.name)
    else items.set(region, { ...item, name: region.name, said: item.name, region })
  }
  const placed = [...items.values()].toSorted((one, other) => (other.value ?? -Infinity) - (one.value ?? -Infinity))
  return {
    name: series.name ?? '',
    color: othersColor,
    map,
    of: asked ?? needs,
    items: placed,
    measures,
    ramp,
    range: findRange(
      placed.flatMap(({ value }) => value ?? []),
      ramp ?? '',
    ),
    unknown,
    duplicates: again,
  }
}

/** Of a ramp with a middle, zero is that. */
function findRange(values: readonly number[], ramp: string): RegionMarks['range'] {
  if (values.length === 0) return null
  const [low, high] = [Math.min(...values), Math.max(...values)]
  if (Object.hasOwn(ramps, ramp) && ramps[ramp]?.isDiverging && low < 0 && high > 0) {
    const far = Math.max(-low, high)
    return [-far, far]
  }
  return [low, high]
}
