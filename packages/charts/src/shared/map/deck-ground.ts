import type { Layer } from '@deck.gl/core'
import { PathLayer, SolidPolygonLayer } from '@deck.gl/layers'
import type { ChartTheme } from '../../resolve/theme.ts'
import type { Ground } from './ground.ts'
import { groundOfTheme, rgbOf } from './paint.ts'
import { ringsOf } from './rings.ts'

/** Land, borders and coasts; their colours alone follow the theme. */
export function groundLayers(ground: Ground, theme: ChartTheme, detail: string): Layer[] {
  const colors = groundOfTheme(theme)
  const line = { data: ground.borders, getPath: (path: Float64Array) => path, positionFormat: 'XY' as const }
  return [
    new SolidPolygonLayer({
      id: `land-${detail}`,
      data: ground.land,
      getPolygon: (area: Ground['land'][number]) => area,
      positionFormat: 'XY',
      _normalize: false,
      getFillColor: rgbOf(colors.land),
      updateTriggers: { getFillColor: theme.name },
    }),
    new PathLayer({
      ...line,
      id: `borders-${detail}`,
      _pathType: 'open',
      getColor: rgbOf(colors.border),
      widthUnits: 'pixels',
      getWidth: 0.75,
      updateTriggers: { getColor: theme.name },
    }),
    new PathLayer({
      ...line,
      id: `coast-${detail}`,
      data: coastOf(ground),
      _pathType: 'open',
      getColor: rgbOf(colors.coast),
      widthUnits: 'pixels',
      getWidth: 0.75,
      updateTriggers: { getColor: theme.name },
    }),
  ]
}

const coasts = new WeakMap<Ground, Float64Array[]>()

/** The same list for the same land: else deck.gl would make its buffers anew. */
function coastOf(ground: Ground): Float64Array[] {
  const found = coasts.get(ground) ?? ground.land.flatMap(ringsOf)
  coasts.set(ground, found)
  return found
}
