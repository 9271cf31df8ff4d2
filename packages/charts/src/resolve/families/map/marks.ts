import { mapOf, type GeoMap, type GeoRegion } from '../../../shared/geo/geo-map.ts'
import { ramps } from '../../../shared/colors/ramps.ts'
import type { Items } from '../../items/items-family.ts'
import { othersColor } from '../../paint.ts'
import type { SpecItem, SpecSeries } from '../family.ts'
import { createRegionFinder, type CodeKind } from './region-finder.ts'

export interface MapMeasure {
  name: string
  /** Label of its column. */
  label: string
  format: string
}

/** A row whose place was found on the map. */
export interface MapRegionItem extends SpecItem {
  region: GeoRegion
  /** Name of the place in the row. */
  nameInRow: string
  size: number | null
}

export interface RegionMarks extends Items<MapRegionItem> {
  /** Null if there is no map with that key. */
  map: GeoMap | null
  /** Key of the map in the form. */
  mapKey: string
  measures: readonly MapMeasure[]
  /** Null if each place has its own color. */
  ramp: string | null
  /** Values at the ends of the ramp; null if no place has a number. */
  range: readonly [low: number, high: number] | null
  /** Names in rows that the map does not contain. */
  unknown: readonly string[]
  /** Names in rows whose place an earlier row already uses. */
  duplicates: readonly string[]
}

/** Reads the places from the largest to the smallest number, followed by those without one. */
export function readRegionMarks(series: SpecSeries): RegionMarks {
  const {
    needs = '',
    mapKey,
    by,
    iso,
    measures,
    ramp = null,
  } = series as SpecSeries & {
    mapKey?: string
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
    else items.set(region, { ...item, name: region.name, nameInRow: item.name, region })
  }
  const placed = [...items.values()].toSorted((one, other) => (other.value ?? -Infinity) - (one.value ?? -Infinity))
  return {
    name: series.name ?? '',
    color: othersColor,
    map,
    mapKey: mapKey ?? needs,
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

/** Zero is the middle of a diverging ramp. */
function findRange(values: readonly number[], ramp: string): RegionMarks['range'] {
  if (values.length === 0) return null
  const [low, high] = [Math.min(...values), Math.max(...values)]
  if (Object.hasOwn(ramps, ramp) && ramps[ramp]?.isDiverging && low < 0 && high > 0) {
    const far = Math.max(-low, high)
    return [-far, far]
  }
  return [low, high]
}
