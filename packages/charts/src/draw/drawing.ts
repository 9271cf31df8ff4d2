import type { Frame } from '@parquetry/frame'
import type { Spec } from '../define.ts'
import type { RenderContext } from '../resolve/render-context.ts'

/** Module of a chart that draws itself without ECharts, for images without a browser. */
export interface DrawingModule {
  /** Returns the escaped content of an `<svg>` of the size in `around`. */
  default: (spec: Spec, frames: Record<string, Frame>, around: RenderContext) => SvgDrawing | Promise<SvgDrawing>
}

export interface SvgDrawing {
  /** Content of an `<svg>`. */
  body: string
  describe: string
  /** Rows and columns of a table for which there was no room. */
  omitted?: { rows: number; columns: number }
}
