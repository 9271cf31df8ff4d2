import type { Metadata } from '../document/read-dashboard.ts'

export type ApplyMode = 'at_once' | 'button'
export type Orientation = 'VERTICAL' | 'HORIZONTAL'

/** Settings for all filters of a dashboard, chosen by its owner. */
export interface BarSettings {
  mode: ApplyMode
  orientation: Orientation
  /** True if clicks in charts filter other charts. */
  crossFilters: boolean
}

/** The owner's choice; by default immediate, or by button on dashboards from another tool. */
export function readApplyMode(metadata: Metadata): ApplyMode {
  const own = (metadata.parquetry ?? {}) as { apply_filters?: unknown }
  if (own.apply_filters === 'button' || own.apply_filters === 'at_once') return own.apply_filters
  return 'import_time' in metadata ? 'button' : 'at_once'
}

/** NATF-003: vertical by default. */
export const readOrientation = (metadata: Metadata): Orientation =>
  metadata.filter_bar_orientation === 'HORIZONTAL' ? 'HORIZONTAL' : 'VERTICAL'

export const readBarSettings = (metadata: Metadata): BarSettings => ({
  mode: readApplyMode(metadata),
  orientation: readOrientation(metadata),
  crossFilters: metadata.cross_filters_enabled !== false,
})

/** Metadata with new settings; unchanged ones are not written. */
export function withBarSettings(metadata: Metadata, settings: BarSettings): Metadata {
  const before = readBarSettings(metadata)
  const own = (metadata.parquetry ?? {}) as object
  return {
    ...metadata,
    ...(settings.mode !== before.mode && { parquetry: { ...own, apply_filters: settings.mode } }),
    ...(settings.orientation !== before.orientation && { filter_bar_orientation: settings.orientation }),
    ...(settings.crossFilters !== before.crossFilters && { cross_filters_enabled: settings.crossFilters }),
  }
}
