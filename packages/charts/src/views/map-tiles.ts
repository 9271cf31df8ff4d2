import type { MapTiles } from '@parquetry/model'
import { createContext } from 'react'

/** Servers of tiles that maps may show below their marks; a page without them has land alone. */
export const MapTilesContext = createContext<readonly MapTiles[]>([])
