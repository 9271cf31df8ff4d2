import { chartEntries, chartEntry, chartIcons, chartTextId } from '@parquetry/charts'
import type { IconName, Translate } from '@parquetry/ui'

/** Name of a chart type without loading its code; a type that nobody here draws shows its key. */
export const vizName = (vizType: string, t: Translate): string => {
  const entry = chartEntry(vizType)
  return entry ? t(chartTextId(entry.viz_type, 'name'), entry.name) : vizType
}

/** As the chart's folder says it; `npm run gen` has checked that the set has it. */
export const vizIcon = (vizType: string): IconName =>
  (chartIcons[chartEntry(vizType)?.viz_type ?? ''] ?? 'chart') as IconName

export const vizTypes: readonly string[] = chartEntries.map(({ viz_type }) => viz_type)
