import type { Metadata } from '../document/read-dashboard.ts'

export type ApplyMode = 'at_once' | 'button'
export type Orientation = 'VERTICAL' | 'HORIZONTAL'

/** What the owner of a dashboard chooses for all of its filters. */
export interface BarSettings {
  mode: ApplyMode
  orientation: Orientation
  /** Charts filter each other by clicks. */
  crossFilters: boolean
}

/** The owner's choice; else at once, and by button for what another tool made. */
export function readApplyMode(metadata: Metadata): ApplyMode {
  const own = (metadata.parquetry ?? {}) as { apply_filters?: unknown }
  if (own.apply_filters === 'button' || own.apply_filters === 'at_once') return own.apply_filters
  return 'import_time' in metadata ? 'button' : 'at_once'
}

/** NATF-003: vertical where nobody has chosen. */
export const readOrientation = (metadata: Metadata): Orientation =>
  metadata.filter_bar_orientation === 'HORIZONTAL' ? 'HORIZONTAL' : 'VERTICAL'

export const readBarSettings = (metadata: Metadata): BarSettings => ({
  mode: readApplyMode(metadata),
  orientation: readOrientation(metadata),
  crossFilters: metadata.cross_filters_enabled !== false,
})

/** The metadata with other settings; what is as it was is not written. */
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
