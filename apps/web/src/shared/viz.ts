import { chartEntries, chartEntry, chartIcons, chartTextId, pluginEntries } from '@parquetry/charts'
import type { IconName, Translate } from '@parquetry/ui'

/** Returns the name of a chart type without loading its code; an unknown type shows its key. */
export const vizName = (vizType: string, t: Translate): string => {
  const entry = chartEntry(vizType)
  return entry ? t(chartTextId(entry.viz_type, 'name'), entry.name) : vizType
}

/** Icon defined in the chart's folder; `npm run gen` checks that the icon set has it. */
export const vizIcon = (vizType: string): IconName =>
  (chartIcons[chartEntry(vizType)?.viz_type ?? ''] ?? 'chart') as IconName

/** All chart types, with those of plugins. */
export const listVizTypes = (): string[] => [...chartEntries, ...pluginEntries].map(({ viz_type }) => viz_type)
