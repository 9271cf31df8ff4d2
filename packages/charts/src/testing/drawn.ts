import type { Resolved } from '../resolve/resolve.ts'
import { shapesIn } from './shapes-in.ts'

/** A shape of a series that we draw, as far as tests look at it. */
export interface DrawnShape {
  type: string
  rotation: number
  shape: { x: number; y: number; width: number; height: number; r: number; pathData: string }
  style: { text: string; fill: string; stroke?: string; fontSize: number; opacity: number }
  children: DrawnShape[]
}

/** The shapes of each mark of such a series, on a canvas of this size; the last ones stand beside the marks. */
export const drawnShapes = ({ option }: Pick<Resolved, 'option'>, size: { width: number; height: number }) =>
  shapesIn<DrawnShape>(option, size)
