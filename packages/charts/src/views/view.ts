import type { Frame } from '@parquetry/frame'
import type { ComponentType } from 'react'
import type { ChartForm, Look, Spec } from '../define.ts'
import type { Mark } from '../resolve/marks.ts'
import type { Surroundings } from '../resolve/surroundings.ts'

/** How a mark was chosen, and where in the window: the place of a menu. */
export interface MarkEvent {
  kind: 'click' | 'menu'
  x: number
  y: number
}

/** What ChartHost gives to a chart that draws itself. */
export interface ViewProps {
  spec: Spec
  frames: Record<string, Frame>
  form: ChartForm
  look: Look
  around: Surroundings
  /** Name of the chart for screen readers. */
  label: string
  state: Record<string, unknown>
  onState?: ((state: Record<string, unknown>) => void) | undefined
  onMark?: ((mark: Mark, event: MarkEvent) => void) | undefined
}

export interface ViewModule {
  default: ComponentType<ViewProps>
}
