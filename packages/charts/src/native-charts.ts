/** Kinds of charts that spreadsheet programs draw themselves. */
export type NativeChartKind = 'line' | 'bar' | 'area' | 'pie' | 'scatter'

/** Chart types of which a workbook has a chart that the spreadsheet program draws from the cells. */
const nativeCharts: Readonly<Record<string, NativeChartKind>> = {
  echarts_timeseries_line: 'line',
  echarts_timeseries_smooth: 'line',
  echarts_timeseries_step: 'line',
  echarts_timeseries: 'line',
  echarts_timeseries_bar: 'bar',
  echarts_area: 'area',
  echarts_timeseries_scatter: 'scatter',
  pie: 'pie',
  bubble: 'scatter',
  bubble_v2: 'scatter',
}

/** Returns the kind of chart in a workbook; undefined for types that have only their rows there. */
export const findNativeChart = (viz_type: string): NativeChartKind | undefined =>
  Object.hasOwn(nativeCharts, viz_type) ? nativeCharts[viz_type] : undefined
