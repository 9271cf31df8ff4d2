/** A tile server set by the administrator: map images in Web Mercator, 256 pixels wide. */
export interface MapTiles {
  /** Contains `{z}`, `{x}` and `{y}` in its path. */
  url: string
  name: string
  /** Attribution shown on every map with these tiles. */
  attribution: string
  /** Link target of the attribution. */
  link?: string
}

/**
 * Reads the setting `MAP_TILES`.
 * @throws Error with a message about the invalid entry
 */
export function readMapTiles(value: unknown): MapTiles[] {
  if (!Array.isArray(value)) throw new Error('must be a list.')
  return value.map(readEntry)
}

/** Returns the origin of the tile server for the content security policy. */
export const tileOrigin = ({ url }: MapTiles): string => address.exec(url)?.[1] ?? ''

/** A scheme and a plain host, followed by a path. */
const address = /^(https?:\/\/[\w.-]+(?::\d{1,5})?)\//

function readEntry(entry: unknown): MapTiles {
  const { url, name, attribution, link } = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<
    string,
    unknown
  >
  if (typeof url !== 'string' || typeof name !== 'string' || typeof attribution !== 'string' || !name || !attribution)
    throw new Error('must contain entries with a url, a name and an attribution.')
  // The host is inserted verbatim into the content security policy of every page.
  if (!address.test(url))
    throw new Error(`contains ${url}, which is not an http or https URL with a plain host and a path.`)
  if (!['{z}', '{x}', '{y}'].every((part) => url.includes(part)))
    throw new Error(`contains ${url}, which must have {z}, {x} and {y} in it.`)
  if (link !== undefined && (typeof link !== 'string' || !/^https?:\/\//.test(link)))
    throw new Error(`contains a link for ${name} that is not an http or https URL.`)
  return { url, name, attribution, ...(link && { link }) }
}

/** Returns the value of a form's `mapbox_style` for a tile server, spelled as in Superset. */
export const tileStyle = ({ url }: MapTiles): string => `tile://${url}`
/** Value of the land style, which needs no server. */
export const landStyle = 'land'

/** Returns the tiles of a map: those named by its style, null for the land style, else the administrator's first. */
export const resolveTiles = (all: readonly MapTiles[], style: unknown): MapTiles | null =>
  style === landStyle ? null : (all.find((tiles) => tileStyle(tiles) === style) ?? all[0] ?? null)
