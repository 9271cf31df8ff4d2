/** A server of map tiles, as the administrator names it: pictures of the ground in Web Mercator, 256 pixels wide. */
export interface MapTiles {
  /** With `{z}`, `{x}` and `{y}` in its path. */
  url: string
  name: string
  /** Whose map it is, written on every picture that shows it. */
  attribution: string
  /** Where the attribution leads. */
  link?: string
}

/**
 * The setting `MAP_TILES`.
 * @throws Error with a sentence about the entry that is wrong
 */
export function readMapTiles(value: unknown): MapTiles[] {
  if (!Array.isArray(value)) throw new Error('must be a list.')
  return value.map(readEntry)
}

/** What a page may fetch pictures from, for its policy. */
export const tileOrigin = ({ url }: MapTiles): string => address.exec(url)?.[1] ?? ''

/** A scheme and a host that hold nothing but themselves, then a path. */
const address = /^(https?:\/\/[\w.-]+(?::\d{1,5})?)\//

function readEntry(entry: unknown): MapTiles {
  const { url, name, attribution, link } = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<
    string,
    unknown
  >
  if (typeof url !== 'string' || typeof name !== 'string' || typeof attribution !== 'string' || !name || !attribution)
    throw new Error('must contain entries with a url, a name and an attribution.')
  // The host goes into the policy of every page as it stands.
  if (!address.test(url))
    throw new Error(`contains ${url}, which is not an http or https URL with a plain host and a path.`)
  if (!['{z}', '{x}', '{y}'].every((part) => url.includes(part)))
    throw new Error(`contains ${url}, which must have {z}, {x} and {y} in it.`)
  if (link !== undefined && (typeof link !== 'string' || !/^https?:\/\//.test(link)))
    throw new Error(`contains a link for ${name} that is not an http or https URL.`)
  return { url, name, attribution, ...(link && { link }) }
}

/** Value of a form's `mapbox_style` for a server of tiles; the original spells it so as well. */
export const tileStyle = ({ url }: MapTiles): string => `tile://${url}`
/** Value for the land that needs no server. */
export const landStyle = 'land'

/** The tiles of a map: those that its style names, none where it names the land, else the administrator's first. */
export const resolveTiles = (all: readonly MapTiles[], style: unknown): MapTiles | null =>
  style === landStyle ? null : (all.find((tiles) => tileStyle(tiles) === style) ?? all[0] ?? null)
