import { chartEntries, chartEntry, chartIcons, textId } from '@parquetry/charts'
import type { IconName, Translate } from '@parquetry/ui'

/** Name of a chart type without loading its code; a type that nobody here draws shows its key. */
export const vizName = (vizType: string, t: Translate): string => {
  const name = chartEntry(vizType)?.name
  return name === undefined ? vizType : t(textId(name), name)
}

/** As the chart's folder says it; `npm run gen` has checked that the set has it. */
export const vizIcon = (vizType: string): IconName =>
  (chartIcons[chartEntry(vizType)?.viz_type ?? ''] ?? 'chart') as IconName

export const vizTypes: readonly string[] = chartEntries.map(({ viz_type }) => viz_type)
