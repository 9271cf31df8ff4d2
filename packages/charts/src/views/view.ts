import type { Frame } from '@parquetry/frame'
import type { DataMaskEntry, QueryFilter } from '@parquetry/model'
import type { ComponentType } from 'react'
import type { ChartForm, SpecContext, Spec } from '../define.ts'
import type { Mark } from '../resolve/marks.ts'
import type { RenderContext } from '../resolve/render-context.ts'

/** How a mark was chosen, and where in the window: the place of a menu. */
export interface MarkEvent {
  kind: 'click' | 'menu'
  x: number
  y: number
  /** By the keyboard. */
  byKey?: boolean
}

/** What a chart of filters needs of the place where it stands. */
export interface FilterHost {
  /** Field for a range of time, as the product has it everywhere. */
  TimeRange: ComponentType<{ label: string; value: string; onChange(range: string): void }>
  /** Grains and time columns that may be chosen, with their names. */
  grains: readonly (readonly [value: string, label: string])[]
  timeColumns: readonly (readonly [value: string, label: string])[]
  /** One of the chart's questions again, by its name, with more filters. */
  runQuery(query: string, filters: readonly QueryFilter[]): Promise<Frame>
  /** What is in force: `filterState` of the chart's entry in the data mask. */
  filterState: Record<string, unknown> | undefined
  /** Puts choices into force, as an entry of the data mask; without it they filter nothing. */
  onMask?: ((entry: DataMaskEntry) => void) | undefined
}

/** What ChartHost gives to a chart that draws itself. */
export interface ViewProps {
  spec: Spec
  frames: Record<string, Frame>
  form: ChartForm
  look: SpecContext
  around: RenderContext
  /** Name of the chart for screen readers. */
  label: string
  state: Record<string, unknown>
  onState?: ((state: Record<string, unknown>) => void) | undefined
  /** Where settings can be changed beside the picture: takes those that it has changed itself. */
  onSetting?: ((settings: ChartForm) => void) | undefined
  onMark?: ((mark: Mark, event: MarkEvent) => void) | undefined
  filtering?: FilterHost | undefined
}

export interface ViewModule {
  default: ComponentType<ViewProps>
}
