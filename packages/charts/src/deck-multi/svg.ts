import type { Frame } from '@parquetry/frame'
import type { Spec } from '../define.ts'
import type { RenderContext } from '../resolve/render-context.ts'
import { combineMaps, type CombinedMapSpec } from '../shared/map/combined-maps.ts'
import drawMap from '../shared/map/map-svg.ts'

/** Draws the maps of all charts, viewed from above. */
export default async function drawLaidMaps(given: Spec, _frames: Record<string, Frame>, around: RenderContext) {
  const { spec, frames } = await combineMaps(given as CombinedMapSpec, around)
  return drawMap(spec, frames, around)
}
