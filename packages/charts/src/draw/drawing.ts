import type { Frame } from '@parquetry/frame'
import type { Spec } from '../define.ts'
import type { RenderContext } from '../resolve/render-context.ts'

/** What a chart that draws itself gives for pictures without a browser. */
export interface DrawingModule {
  /** The inside of an `<svg>` of the size in `around`, escaped. */
  default: (spec: Spec, frames: Record<string, Frame>, around: RenderContext) => SvgDrawing | Promise<SvgDrawing>
}

export interface SvgDrawing {
  /** The inside of an `<svg>`. */
  body: string
  describe: string
}
