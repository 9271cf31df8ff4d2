// Written by `npm run gen` from the folders beside it.
import big_number_light from '../big-number/thumbnail.svg?url'
import big_number_dark from '../big-number/thumbnail.dark.svg?url'
import big_number_total_light from '../big-number-total/thumbnail.svg?url'
import big_number_total_dark from '../big-number-total/thumbnail.dark.svg?url'
import box_plot_light from '../box-plot/thumbnail.svg?url'
import box_plot_dark from '../box-plot/thumbnail.dark.svg?url'
import bubble_v2_light from '../bubble/thumbnail.svg?url'
import bubble_v2_dark from '../bubble/thumbnail.dark.svg?url'
import bullet_light from '../bullet/thumbnail.svg?url'
import bullet_dark from '../bullet/thumbnail.dark.svg?url'
import cal_heatmap_light from '../cal-heatmap/thumbnail.svg?url'
import cal_heatmap_dark from '../cal-heatmap/thumbnail.dark.svg?url'
import chord_light from '../chord/thumbnail.svg?url'
import chord_dark from '../chord/thumbnail.dark.svg?url'
import compare_light from '../compare/thumbnail.svg?url'
import compare_dark from '../compare/thumbnail.dark.svg?url'
import country_map_light from '../country-map/thumbnail.svg?url'
import country_map_dark from '../country-map/thumbnail.dark.svg?url'
import deck_arc_light from '../deck-arc/thumbnail.svg?url'
import deck_arc_dark from '../deck-arc/thumbnail.dark.svg?url'
import deck_contour_light from '../deck-contour/thumbnail.svg?url'
import deck_contour_dark from '../deck-contour/thumbnail.dark.svg?url'
import deck_geojson_light from '../deck-geojson/thumbnail.svg?url'
import deck_geojson_dark from '../deck-geojson/thumbnail.dark.svg?url'
import deck_grid_light from '../deck-grid/thumbnail.svg?url'
import deck_grid_dark from '../deck-grid/thumbnail.dark.svg?url'
import deck_heatmap_light from '../deck-heatmap/thumbnail.svg?url'
import deck_heatmap_dark from '../deck-heatmap/thumbnail.dark.svg?url'
import deck_hex_light from '../deck-hex/thumbnail.svg?url'
import deck_hex_dark from '../deck-hex/thumbnail.dark.svg?url'
import deck_multi_light from '../deck-multi/thumbnail.svg?url'
import deck_multi_dark from '../deck-multi/thumbnail.dark.svg?url'
import deck_path_light from '../deck-path/thumbnail.svg?url'
import deck_path_dark from '../deck-path/thumbnail.dark.svg?url'
import deck_polygon_light from '../deck-polygon/thumbnail.svg?url'
import deck_polygon_dark from '../deck-polygon/thumbnail.dark.svg?url'
import deck_scatter_light from '../deck-scatter/thumbnail.svg?url'
import deck_scatter_dark from '../deck-scatter/thumbnail.dark.svg?url'
import deck_screengrid_light from '../deck-screengrid/thumbnail.svg?url'
import deck_screengrid_dark from '../deck-screengrid/thumbnail.dark.svg?url'
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
import event_flow_light from '../event-flow/thumbnail.svg?url'
import event_flow_dark from '../event-flow/thumbnail.dark.svg?url'
import filter_box_light from '../filter-box/thumbnail.svg?url'
import filter_box_dark from '../filter-box/thumbnail.dark.svg?url'
import funnel_light from '../funnel/thumbnail.svg?url'
import funnel_dark from '../funnel/thumbnail.dark.svg?url'
import gantt_chart_light from '../gantt/thumbnail.svg?url'
import gantt_chart_dark from '../gantt/thumbnail.dark.svg?url'
import gauge_chart_light from '../gauge/thumbnail.svg?url'
import gauge_chart_dark from '../gauge/thumbnail.dark.svg?url'
import graph_chart_light from '../graph/thumbnail.svg?url'
import graph_chart_dark from '../graph/thumbnail.dark.svg?url'
import handlebars_light from '../handlebars/thumbnail.svg?url'
import handlebars_dark from '../handlebars/thumbnail.dark.svg?url'
import heatmap_v2_light from '../heatmap/thumbnail.svg?url'
import heatmap_v2_dark from '../heatmap/thumbnail.dark.svg?url'
import histogram_v2_light from '../histogram/thumbnail.svg?url'
import histogram_v2_dark from '../histogram/thumbnail.dark.svg?url'
import horizon_light from '../horizon/thumbnail.svg?url'
import horizon_dark from '../horizon/thumbnail.dark.svg?url'
import line_multi_light from '../line-multi/thumbnail.svg?url'
import line_multi_dark from '../line-multi/thumbnail.dark.svg?url'
import mapbox_light from '../mapbox/thumbnail.svg?url'
import mapbox_dark from '../mapbox/thumbnail.dark.svg?url'
import mixed_timeseries_light from '../mixed/thumbnail.svg?url'
import mixed_timeseries_dark from '../mixed/thumbnail.dark.svg?url'
import paired_ttest_light from '../paired-ttest/thumbnail.svg?url'
import paired_ttest_dark from '../paired-ttest/thumbnail.dark.svg?url'
import para_light from '../para/thumbnail.svg?url'
import para_dark from '../para/thumbnail.dark.svg?url'
import partition_light from '../partition/thumbnail.svg?url'
import partition_dark from '../partition/thumbnail.dark.svg?url'
import pie_light from '../pie/thumbnail.svg?url'
import pie_dark from '../pie/thumbnail.dark.svg?url'
import pivot_table_v2_light from '../pivot-table/thumbnail.svg?url'
import pivot_table_v2_dark from '../pivot-table/thumbnail.dark.svg?url'
import pop_kpi_light from '../pop-kpi/thumbnail.svg?url'
import pop_kpi_dark from '../pop-kpi/thumbnail.dark.svg?url'
import radar_light from '../radar/thumbnail.svg?url'
import radar_dark from '../radar/thumbnail.dark.svg?url'
import rose_light from '../rose/thumbnail.svg?url'
import rose_dark from '../rose/thumbnail.dark.svg?url'
import sankey_v2_light from '../sankey/thumbnail.svg?url'
import sankey_v2_dark from '../sankey/thumbnail.dark.svg?url'
import sunburst_v2_light from '../sunburst/thumbnail.svg?url'
import sunburst_v2_dark from '../sunburst/thumbnail.dark.svg?url'
import table_light from '../table/thumbnail.svg?url'
import table_dark from '../table/thumbnail.dark.svg?url'
import time_pivot_light from '../time-pivot/thumbnail.svg?url'
import time_pivot_dark from '../time-pivot/thumbnail.dark.svg?url'
import time_table_light from '../time-table/thumbnail.svg?url'
import time_table_dark from '../time-table/thumbnail.dark.svg?url'
import tree_chart_light from '../tree/thumbnail.svg?url'
import tree_chart_dark from '../tree/thumbnail.dark.svg?url'
import treemap_v2_light from '../treemap/thumbnail.svg?url'
import treemap_v2_dark from '../treemap/thumbnail.dark.svg?url'
import waterfall_light from '../waterfall/thumbnail.svg?url'
import waterfall_dark from '../waterfall/thumbnail.dark.svg?url'
import word_cloud_light from '../word-cloud/thumbnail.svg?url'
import word_cloud_dark from '../word-cloud/thumbnail.dark.svg?url'
import world_map_light from '../world-map/thumbnail.svg?url'
import world_map_dark from '../world-map/thumbnail.dark.svg?url'

/** Addresses of the pictures of the gallery. */
export const thumbnails: Record<string, { light: string; dark: string }> = {
  big_number: { light: big_number_light, dark: big_number_dark },
  big_number_total: { light: big_number_total_light, dark: big_number_total_dark },
  box_plot: { light: box_plot_light, dark: box_plot_dark },
  bubble_v2: { light: bubble_v2_light, dark: bubble_v2_dark },
  bullet: { light: bullet_light, dark: bullet_dark },
  cal_heatmap: { light: cal_heatmap_light, dark: cal_heatmap_dark },
  chord: { light: chord_light, dark: chord_dark },
  compare: { light: compare_light, dark: compare_dark },
  country_map: { light: country_map_light, dark: country_map_dark },
  deck_arc: { light: deck_arc_light, dark: deck_arc_dark },
  deck_contour: { light: deck_contour_light, dark: deck_contour_dark },
  deck_geojson: { light: deck_geojson_light, dark: deck_geojson_dark },
  deck_grid: { light: deck_grid_light, dark: deck_grid_dark },
  deck_heatmap: { light: deck_heatmap_light, dark: deck_heatmap_dark },
  deck_hex: { light: deck_hex_light, dark: deck_hex_dark },
  deck_multi: { light: deck_multi_light, dark: deck_multi_dark },
  deck_path: { light: deck_path_light, dark: deck_path_dark },
  deck_polygon: { light: deck_polygon_light, dark: deck_polygon_dark },
  deck_scatter: { light: deck_scatter_light, dark: deck_scatter_dark },
  deck_screengrid: { light: deck_screengrid_light, dark: deck_screengrid_dark },
  echarts_area: { light: echarts_area_light, dark: echarts_area_dark },
  echarts_timeseries: { light: echarts_timeseries_light, dark: echarts_timeseries_dark },
  echarts_timeseries_bar: { light: echarts_timeseries_bar_light, dark: echarts_timeseries_bar_dark },
  echarts_timeseries_line: { light: echarts_timeseries_line_light, dark: echarts_timeseries_line_dark },
  echarts_timeseries_scatter: { light: echarts_timeseries_scatter_light, dark: echarts_timeseries_scatter_dark },
  echarts_timeseries_smooth: { light: echarts_timeseries_smooth_light, dark: echarts_timeseries_smooth_dark },
  echarts_timeseries_step: { light: echarts_timeseries_step_light, dark: echarts_timeseries_step_dark },
  event_flow: { light: event_flow_light, dark: event_flow_dark },
  filter_box: { light: filter_box_light, dark: filter_box_dark },
  funnel: { light: funnel_light, dark: funnel_dark },
  gantt_chart: { light: gantt_chart_light, dark: gantt_chart_dark },
  gauge_chart: { light: gauge_chart_light, dark: gauge_chart_dark },
  graph_chart: { light: graph_chart_light, dark: graph_chart_dark },
  handlebars: { light: handlebars_light, dark: handlebars_dark },
  heatmap_v2: { light: heatmap_v2_light, dark: heatmap_v2_dark },
  histogram_v2: { light: histogram_v2_light, dark: histogram_v2_dark },
  horizon: { light: horizon_light, dark: horizon_dark },
  line_multi: { light: line_multi_light, dark: line_multi_dark },
  mapbox: { light: mapbox_light, dark: mapbox_dark },
  mixed_timeseries: { light: mixed_timeseries_light, dark: mixed_timeseries_dark },
  paired_ttest: { light: paired_ttest_light, dark: paired_ttest_dark },
  para: { light: para_light, dark: para_dark },
  partition: { light: partition_light, dark: partition_dark },
  pie: { light: pie_light, dark: pie_dark },
  pivot_table_v2: { light: pivot_table_v2_light, dark: pivot_table_v2_dark },
  pop_kpi: { light: pop_kpi_light, dark: pop_kpi_dark },
  radar: { light: radar_light, dark: radar_dark },
  rose: { light: rose_light, dark: rose_dark },
  sankey_v2: { light: sankey_v2_light, dark: sankey_v2_dark },
  sunburst_v2: { light: sunburst_v2_light, dark: sunburst_v2_dark },
  table: { light: table_light, dark: table_dark },
  time_pivot: { light: time_pivot_light, dark: time_pivot_dark },
  time_table: { light: time_table_light, dark: time_table_dark },
  tree_chart: { light: tree_chart_light, dark: tree_chart_dark },
  treemap_v2: { light: treemap_v2_light, dark: treemap_v2_dark },
  waterfall: { light: waterfall_light, dark: waterfall_dark },
  word_cloud: { light: word_cloud_light, dark: word_cloud_dark },
  world_map: { light: world_map_light, dark: world_map_dark },
}
