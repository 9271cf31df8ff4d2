import type { MapTiles } from '@parquetry/model'
import { createContext } from 'react'

/** Tile servers that maps may show below their marks; without any, maps show land only. */
export const MapTilesContext = createContext<readonly MapTiles[]>([])
