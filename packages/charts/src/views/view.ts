import type { Frame } from '@parquetry/frame'
import type { DataMaskEntry, QueryFilter } from '@parquetry/model'
import type { ComponentType } from 'react'
import type { ChartForm, SpecContext, Spec } from '../define.ts'
import type { Mark } from '../resolve/marks.ts'
import type { RenderContext } from '../resolve/render-context.ts'

/** How a mark was chosen, and the window position for its menu. */
export interface MarkEvent {
  kind: 'click' | 'menu'
  x: number
  y: number
  /** The mark was chosen by keyboard. */
  byKey?: boolean
}

/** Services that a filter chart needs from its host. */
export interface FilterHost {
  /** Time range field, as used throughout the product. */
  TimeRange: ComponentType<{ label: string; value: string; onChange(range: string): void }>
  /** Selectable time grains and time columns, with their names. */
  grains: readonly (readonly [value: string, label: string])[]
  timeColumns: readonly (readonly [value: string, label: string])[]
  /** Runs one of the chart's queries again, by name, with additional filters. */
  runQuery(query: string, filters: readonly QueryFilter[]): Promise<Frame>
  /** Active choices: `filterState` of the chart's entry in the data mask. */
  filterState: Record<string, unknown> | undefined
  /** Applies choices as an entry of the data mask; without it they filter nothing. */
  onMask?: ((entry: DataMaskEntry) => void) | undefined
}

/** Props that ChartHost passes to a chart that draws itself. */
export interface ViewProps {
  spec: Spec
  frames: Record<string, Frame>
  form: ChartForm
  context: SpecContext
  around: RenderContext
  /** Name of the chart for screen readers. */
  label: string
  state: Record<string, unknown>
  onState?: ((state: Record<string, unknown>) => void) | undefined
  /** Called with settings that the chart has changed, where settings can be changed beside it. */
  onSetting?: ((settings: ChartForm) => void) | undefined
  onMark?: ((mark: Mark, event: MarkEvent) => void) | undefined
  filtering?: FilterHost | undefined
}

export interface ViewModule {
  default: ComponentType<ViewProps>
}
