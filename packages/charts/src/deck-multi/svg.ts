import type { Frame } from '@parquetry/frame'
import type { Spec } from '../define.ts'
import type { Surroundings } from '../resolve/surroundings.ts'
import { laid, type LaidMaps } from '../shared/map/laid-maps.ts'
import drawMap from '../shared/map/still.ts'

/** The maps of all charts from above. */
export default async function drawLaidMaps(given: Spec, _frames: Record<string, Frame>, around: Surroundings) {
  const { spec, frames } = await laid(given as LaidMaps, around)
  return drawMap(spec, frames, around)
}
