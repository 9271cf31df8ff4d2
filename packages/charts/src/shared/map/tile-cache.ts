import type { Layer } from '@deck.gl/core'
import { BitmapLayer } from '@deck.gl/layers'
import type { MapTiles } from '@parquetry/model'
import { tileUrl, tileBounds, tileKey, parentTile, listVisibleTiles, type Tile } from './tiles.ts'

/** Number of cached images per map. */
const maxCachedTiles = 300

/** Tiles below the marks of a map; cached tiles replace those that are still loading. */
export interface TileCache {
  /** Returns the layers of visible tiles, coarse ones first; fetches missing ones. */
  layersFor(bounds: readonly number[], zoom: number): Layer[]
  close(): void
}

/**
 * A tile that cannot be fetched is omitted, so that the land below is visible.
 * @param onChange called when a tile is loaded
 */
export function openTileCache({ url }: MapTiles, onChange: () => void): TileCache {
  // Oldest first; null while loading or when unavailable.
  const known = new Map<string, Layer | null>()
  let isClosed = false

  function ask(tile: Tile): void {
    const key = tileKey(tile)
    known.set(key, null)
    const image = new Image()
    image.crossOrigin = 'anonymous'
    // Tile servers need to know the site that shows the tiles, but nothing more.
    image.referrerPolicy = 'origin'
    image.src = tileUrl(url, tile)
    image.decode().then(
      () => {
        if (isClosed) return
        known.set(key, new BitmapLayer({ id: `tile-${key}`, image, bounds: tileBounds(tile), pickable: false }))
        onChange()
      },
      () => undefined,
    )
  }

  const found = (tile: Tile): Layer | null => {
    for (let each: Tile | null = tile; each; each = parentTile(each)) {
      const layer = known.get(tileKey(each))
      if (layer) return layer
    }
    return null
  }

  return {
    layersFor: (bounds, zoom) => {
      const tiles = listVisibleTiles(bounds, zoom)
      const layers = new Map<string, Layer>()
      for (const tile of tiles) {
        const key = tileKey(tile)
        const layer = known.get(key)
        if (layer === undefined) ask(tile)
        else {
          // Moves it to the end as the most recently used.
          known.delete(key)
          known.set(key, layer)
        }
        const shown = layer ?? found(tile)
        if (shown) layers.set(shown.id, shown)
      }
      for (const key of known.keys()) {
        if (known.size <= maxCachedTiles) break
        if (!layers.has(`tile-${key}`)) known.delete(key)
      }
      const depth = ({ id }: Layer) => Number(/\d+/.exec(id)?.[0])
      return [...layers.values()].toSorted((one, other) => depth(one) - depth(other))
    },
    close: () => {
      isClosed = true
      known.clear()
    },
  }
}
