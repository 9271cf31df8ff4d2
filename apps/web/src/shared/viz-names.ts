import type { IconName, Translate } from '@parquetry/ui'

/** Name and icon of the chart types built so far, without loading their code; others show their key. */
const known: Record<string, { name: (t: Translate) => string; icon: IconName }> = {
  table: { name: (t) => t('lists.viz.table', 'Table'), icon: 'table' },
  pie: { name: (t) => t('lists.viz.pie', 'Pie chart'), icon: 'pie' },
  big_number: { name: (t) => t('lists.viz.bigNumber', 'Big number with trendline'), icon: 'number' },
  big_number_total: { name: (t) => t('lists.viz.bigNumberTotal', 'Big number'), icon: 'number' },
  echarts_timeseries_line: { name: (t) => t('lists.viz.line', 'Line chart'), icon: 'line' },
  echarts_timeseries_bar: { name: (t) => t('lists.viz.bar', 'Bar chart'), icon: 'chart' },
  echarts_area: { name: (t) => t('lists.viz.area', 'Area chart'), icon: 'area' },
}

export const vizName = (vizType: string, t: Translate): string =>
  Object.hasOwn(known, vizType) ? (known[vizType]?.name(t) ?? vizType) : vizType

export const vizIcon = (vizType: string): IconName =>
  Object.hasOwn(known, vizType) ? (known[vizType]?.icon ?? 'chart') : 'chart'

export const vizTypes = Object.keys(known)
