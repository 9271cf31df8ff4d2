// Written by `npm run gen` from the folders beside it.
import big_number_light from '../big-number/thumbnail.svg?url'
import big_number_dark from '../big-number/thumbnail.dark.svg?url'
import big_number_total_light from '../big-number-total/thumbnail.svg?url'
import big_number_total_dark from '../big-number-total/thumbnail.dark.svg?url'
import echarts_area_light from '../area/thumbnail.svg?url'
import echarts_area_dark from '../area/thumbnail.dark.svg?url'
import echarts_timeseries_light from '../time-series/thumbnail.svg?url'
import echarts_timeseries_dark from '../time-series/thumbnail.dark.svg?url'
import echarts_timeseries_bar_light from '../bar/thumbnail.svg?url'
import echarts_timeseries_bar_dark from '../bar/thumbnail.dark.svg?url'
import echarts_timeseries_line_light from '../line/thumbnail.svg?url'
import echarts_timeseries_line_dark from '../line/thumbnail.dark.svg?url'
import echarts_timeseries_scatter_light from '../scatter/thumbnail.svg?url'
import echarts_timeseries_scatter_dark from '../scatter/thumbnail.dark.svg?url'
import echarts_timeseries_smooth_light from '../smooth/thumbnail.svg?url'
import echarts_timeseries_smooth_dark from '../smooth/thumbnail.dark.svg?url'
import echarts_timeseries_step_light from '../step/thumbnail.svg?url'
import echarts_timeseries_step_dark from '../step/thumbnail.dark.svg?url'
import funnel_light from '../funnel/thumbnail.svg?url'
import funnel_dark from '../funnel/thumbnail.dark.svg?url'
import gauge_chart_light from '../gauge/thumbnail.svg?url'
import gauge_chart_dark from '../gauge/thumbnail.dark.svg?url'
import pie_light from '../pie/thumbnail.svg?url'
import pie_dark from '../pie/thumbnail.dark.svg?url'
import pop_kpi_light from '../pop-kpi/thumbnail.svg?url'
import pop_kpi_dark from '../pop-kpi/thumbnail.dark.svg?url'
import radar_light from '../radar/thumbnail.svg?url'
import radar_dark from '../radar/thumbnail.dark.svg?url'
import sunburst_v2_light from '../sunburst/thumbnail.svg?url'
import sunburst_v2_dark from '../sunburst/thumbnail.dark.svg?url'
import table_light from '../table/thumbnail.svg?url'
import table_dark from '../table/thumbnail.dark.svg?url'
import treemap_v2_light from '../treemap/thumbnail.svg?url'
import treemap_v2_dark from '../treemap/thumbnail.dark.svg?url'
import waterfall_light from '../waterfall/thumbnail.svg?url'
import waterfall_dark from '../waterfall/thumbnail.dark.svg?url'

/** Addresses of the pictures of the gallery. */
export const thumbnails: Record<string, { light: string; dark: string }> = {
  big_number: { light: big_number_light, dark: big_number_dark },
  big_number_total: { light: big_number_total_light, dark: big_number_total_dark },
  echarts_area: { light: echarts_area_light, dark: echarts_area_dark },
  echarts_timeseries: { light: echarts_timeseries_light, dark: echarts_timeseries_dark },
  echarts_timeseries_bar: { light: echarts_timeseries_bar_light, dark: echarts_timeseries_bar_dark },
  echarts_timeseries_line: { light: echarts_timeseries_line_light, dark: echarts_timeseries_line_dark },
  echarts_timeseries_scatter: { light: echarts_timeseries_scatter_light, dark: echarts_timeseries_scatter_dark },
  echarts_timeseries_smooth: { light: echarts_timeseries_smooth_light, dark: echarts_timeseries_smooth_dark },
  echarts_timeseries_step: { light: echarts_timeseries_step_light, dark: echarts_timeseries_step_dark },
  funnel: { light: funnel_light, dark: funnel_dark },
  gauge_chart: { light: gauge_chart_light, dark: gauge_chart_dark },
  pie: { light: pie_light, dark: pie_dark },
  pop_kpi: { light: pop_kpi_light, dark: pop_kpi_dark },
  radar: { light: radar_light, dark: radar_dark },
  sunburst_v2: { light: sunburst_v2_light, dark: sunburst_v2_dark },
  table: { light: table_light, dark: table_dark },
  treemap_v2: { light: treemap_v2_light, dark: treemap_v2_dark },
  waterfall: { light: waterfall_light, dark: waterfall_dark },
}
