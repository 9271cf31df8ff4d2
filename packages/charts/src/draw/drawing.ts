import type { Frame } from '@parquetry/frame'
import type { Spec } from '../define.ts'
import type { Surroundings } from '../resolve/surroundings.ts'

/** What a chart that draws itself gives for pictures without a browser. */
export interface DrawingModule {
  /** The inside of an `<svg>` of the size in `around`, escaped. */
  default: (spec: Spec, frames: Record<string, Frame>, around: Surroundings) => Drawn | Promise<Drawn>
}

export interface Drawn {
  /** The inside of an `<svg>`. */
  body: string
  describe: string
}
