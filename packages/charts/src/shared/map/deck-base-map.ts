import type { Layer } from '@deck.gl/core'
import { PathLayer, SolidPolygonLayer } from '@deck.gl/layers'
import type { ChartTheme } from '../../resolve/theme.ts'
import type { BaseMap } from './base-map.ts'
import { baseMapColors, toRgb } from './paint.ts'
import { splitRings } from './rings.ts'

/** Layers of land, borders and coasts; only their colors depend on the theme. */
export function baseMapLayers(ground: BaseMap, theme: ChartTheme, detail: string): Layer[] {
  const colors = baseMapColors(theme)
  const line = { data: ground.borders, getPath: (path: Float64Array) => path, positionFormat: 'XY' as const }
  return [
    new SolidPolygonLayer({
      id: `land-${detail}`,
      data: ground.land,
      getPolygon: (area: BaseMap['land'][number]) => area,
      positionFormat: 'XY',
      _normalize: false,
      getFillColor: toRgb(colors.land),
      updateTriggers: { getFillColor: theme.name },
    }),
    new PathLayer({
      ...line,
      id: `borders-${detail}`,
      _pathType: 'open',
      getColor: toRgb(colors.border),
      widthUnits: 'pixels',
      getWidth: 0.75,
      updateTriggers: { getColor: theme.name },
    }),
    new PathLayer({
      ...line,
      id: `coast-${detail}`,
      data: resolveCoastlines(ground),
      _pathType: 'open',
      getColor: toRgb(colors.coast),
      widthUnits: 'pixels',
      getWidth: 0.75,
      updateTriggers: { getColor: theme.name },
    }),
  ]
}

const coasts = new WeakMap<BaseMap, Float64Array[]>()

/** Returns the same list for the same land, so that deck.gl does not rebuild its buffers. */
function resolveCoastlines(ground: BaseMap): Float64Array[] {
  const found = coasts.get(ground) ?? ground.land.flatMap(splitRings)
  coasts.set(ground, found)
  return found
}
