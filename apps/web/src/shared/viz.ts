import { chartEntries, chartEntry, textId } from '@parquetry/charts'
import type { IconName, Translate } from '@parquetry/ui'

const icons: Record<string, IconName> = {
  table: 'table',
  pie: 'pie',
  big_number: 'number',
  big_number_total: 'number',
  echarts_timeseries_line: 'line',
  echarts_timeseries_smooth: 'line',
  echarts_timeseries_step: 'line',
  echarts_timeseries: 'line',
  echarts_area: 'area',
}

/** Name of a chart type without loading its code; a type that nobody here draws shows its key. */
export const vizName = (vizType: string, t: Translate): string => {
  const name = chartEntry(vizType)?.name
  return name === undefined ? vizType : t(textId(name), name)
}

export const vizIcon = (vizType: string): IconName => icons[chartEntry(vizType)?.viz_type ?? ''] ?? 'chart'

export const vizTypes: readonly string[] = chartEntries.map(({ viz_type }) => viz_type)
