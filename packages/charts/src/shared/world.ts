import type { GeometryCollection, Topology } from 'topojson-specification'

/** Land and countries of the world from Natural Earth in two levels of detail: 33 and 205 KB transferred. */
export type World = Topology<{ land: GeometryCollection; countries: GeometryCollection<{ name: string }> }>

export type WorldDetail = '110m' | '50m'

const files = {
  '110m': () => import('world-atlas/countries-110m.json', { with: { type: 'json' } }),
  '50m': () => import('world-atlas/countries-50m.json', { with: { type: 'json' } }),
}

/** Each level is a separate file, fetched when a map first needs it. */
export const loadWorld = async (detail: WorldDetail): Promise<World> =>
  (await files[detail]()).default as unknown as World
