import type { GeoMap, GeoRegion } from '../../../shared/geo/geo-map.ts'

/** How a column identifies places: for the world by one of these codes or by name, for a country by region code. */
export type CodeKind = 'cca2' | 'cca3' | 'cioc' | 'name' | 'region'

/** Normalizes names by removing case, accents, punctuation and spaces, in which sources differ. */
const normalizeName = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/[\p{M}\p{P}\p{Z}\p{S}]/gu, '')
    .toLowerCase()

/** Normalizes codes, which may be in lower case or have other separators. */
const normalizeCode = (text: string): string =>
  text
    .trim()
    .toUpperCase()
    .replaceAll(/[\s_.:/]+/g, '-')

/**
 * Returns a function that finds the region for a value, or undefined if there is none.
 * @param of `iso`: prefix of the codes of a country's regions, which values may omit
 */
export function createRegionFinder(
  map: GeoMap,
  { by, iso }: { by: CodeKind; iso?: string | undefined },
): (value: string) => GeoRegion | undefined {
  const named = new Map<string, GeoRegion>()
  const learn = (key: string | undefined, region: GeoRegion) => {
    if (key && !named.has(key)) named.set(key, region)
  }
  const all = [...map.regions, ...map.groups].filter(({ code }) => code !== '')
  if (by === 'region') {
    const ends = (code: string) => [code, code.slice(code.indexOf('-') + 1)]
    for (const region of all) for (const code of ends(region.code)) learn(code, region)
    for (const region of all) for (const code of ends(region.code)) learn(withoutZeros(code), region)
    for (const region of all)
      for (const name of region.names ?? []) {
        // former codes only, not names
        if (iso && name.startsWith(`${iso}-`)) for (const code of ends(name)) learn(withoutZeros(code), region)
      }
    for (const region of all)
      for (const name of [region.name, ...(region.names ?? [])]) learn(normalizeName(name), region)
    return (value) => {
      const code = normalizeCode(value)
      return named.get(code) ?? named.get(withoutZeros(code)) ?? named.get(normalizeName(value))
    }
  }
  if (by === 'name') {
    for (const region of all) learn(normalizeName(region.name), region)
    for (const region of all) for (const name of region.names ?? []) learn(normalizeName(name), region)
    return (value) => named.get(normalizeName(value))
  }
  const field = by === 'cca2' ? 'code' : by
  for (const region of all) learn(region[field], region)
  return (value) => named.get(value.trim().toUpperCase())
}

/** Removes leading zeros from region numbers, which tables lose when they store them as numbers. */
const withoutZeros = (code: string): string => code.replace(/(^|-)0+(?=\d)/, '$1')
