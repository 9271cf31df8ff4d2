import type { NativeFilter } from '@parquetry/model'
import { useDashboardState } from '../state/context.ts'
import { withBarSettings, type BarSettings } from './bar-settings.ts'
import { withNativeFilters } from './config.ts'
import { useSaveMetadata } from './use-save-metadata.ts'

/** Saves the filters of a dashboard and the settings of their bar. */
export function useSaveFilters(onSaved: () => void) {
  const nodes = useDashboardState(({ dashboard }) => dashboard.layout.nodes)
  return useSaveMetadata(
    (metadata, { filters, bar }: { filters: readonly NativeFilter[]; bar: BarSettings }) =>
      withNativeFilters(withBarSettings(metadata, bar), filters, nodes),
    onSaved,
  )
}
