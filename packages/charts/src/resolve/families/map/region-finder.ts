import type { GeoMap, GeoRegion } from '../../../shared/geo/geo-map.ts'

/** What a column has for a place: of the world one of these codes or the name, of a country the code of the region. */
export type CodeKind = 'cca2' | 'cca3' | 'cioc' | 'name' | 'region'

/** Names without case, accents, signs and spaces, in which lists differ. */
const normalizeName = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/[\p{M}\p{P}\p{Z}\p{S}]/gu, '')
    .toLowerCase()

/** Codes come in small letters and with other signs between their parts. */
const normalizeCode = (text: string): string =>
  text
    .trim()
    .toUpperCase()
    .replaceAll(/[\s_.:/]+/g, '-')

/**
 * Finds the region that a value names; undefined where none is.
 * @param of `iso`: what the codes of a country's regions begin with, which a value may leave out
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
        // of codes, those from before
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

/** Numbers of regions lose their zeros where a table keeps them as numbers. */
const withoutZeros = (code: string): string => code.replace(/(^|-)0+(?=\d)/, '$1')
