// Written by `npm run gen` from the folders beside it.
import big_number_0_light from '../big-number/examples/flights-a-day.svg?url'
import big_number_0_dark from '../big-number/examples/flights-a-day.dark.svg?url'
import big_number_total_0_light from '../big-number-total/examples/flights.svg?url'
import big_number_total_0_dark from '../big-number-total/examples/flights.dark.svg?url'
import big_number_total_1_light from '../big-number-total/examples/latest.svg?url'
import big_number_total_1_dark from '../big-number-total/examples/latest.dark.svg?url'
import box_plot_0_light from '../box-plot/examples/temperature-by-weather.svg?url'
import box_plot_0_dark from '../box-plot/examples/temperature-by-weather.dark.svg?url'
import bubble_v2_0_light from '../bubble/examples/cars-log.svg?url'
import bubble_v2_0_dark from '../bubble/examples/cars-log.dark.svg?url'
import bubble_v2_1_light from '../bubble/examples/countries.svg?url'
import bubble_v2_1_dark from '../bubble/examples/countries.dark.svg?url'
import bullet_0_light from '../bullet/examples/rain.svg?url'
import bullet_0_dark from '../bullet/examples/rain.dark.svg?url'
import cal_heatmap_0_light from '../cal-heatmap/examples/rain-of-a-quarter.svg?url'
import cal_heatmap_0_dark from '../cal-heatmap/examples/rain-of-a-quarter.dark.svg?url'
import cal_heatmap_1_light from '../cal-heatmap/examples/temperatures.svg?url'
import cal_heatmap_1_dark from '../cal-heatmap/examples/temperatures.dark.svg?url'
import chord_0_light from '../chord/examples/flights-between-hubs.svg?url'
import chord_0_dark from '../chord/examples/flights-between-hubs.dark.svg?url'
import chord_1_light from '../chord/examples/loops-and-loss.svg?url'
import chord_1_dark from '../chord/examples/loops-and-loss.dark.svg?url'
import compare_0_light from '../compare/examples/since-2007.svg?url'
import compare_0_dark from '../compare/examples/since-2007.dark.svg?url'
import compare_1_light from '../compare/examples/stock-prices.svg?url'
import compare_1_dark from '../compare/examples/stock-prices.dark.svg?url'
import country_map_0_light from '../country-map/examples/airports.svg?url'
import country_map_0_dark from '../country-map/examples/airports.dark.svg?url'
import country_map_1_light from '../country-map/examples/odd-codes.svg?url'
import country_map_1_dark from '../country-map/examples/odd-codes.dark.svg?url'
import deck_arc_0_light from '../deck-arc/examples/flights.svg?url'
import deck_arc_0_dark from '../deck-arc/examples/flights.dark.svg?url'
import deck_contour_0_light from '../deck-contour/examples/quakes.svg?url'
import deck_contour_0_dark from '../deck-contour/examples/quakes.dark.svg?url'
import deck_geojson_0_light from '../deck-geojson/examples/london.svg?url'
import deck_geojson_0_dark from '../deck-geojson/examples/london.dark.svg?url'
import deck_grid_0_light from '../deck-grid/examples/quakes.svg?url'
import deck_grid_0_dark from '../deck-grid/examples/quakes.dark.svg?url'
import deck_heatmap_0_light from '../deck-heatmap/examples/quakes.svg?url'
import deck_heatmap_0_dark from '../deck-heatmap/examples/quakes.dark.svg?url'
import deck_hex_0_light from '../deck-hex/examples/quakes.svg?url'
import deck_hex_0_dark from '../deck-hex/examples/quakes.dark.svg?url'
import deck_multi_0_light from '../deck-multi/examples/layers.svg?url'
import deck_multi_0_dark from '../deck-multi/examples/layers.dark.svg?url'
import deck_path_0_light from '../deck-path/examples/tubes.svg?url'
import deck_path_0_dark from '../deck-path/examples/tubes.dark.svg?url'
import deck_polygon_0_light from '../deck-polygon/examples/geohashes.svg?url'
import deck_polygon_0_dark from '../deck-polygon/examples/geohashes.dark.svg?url'
import deck_polygon_1_light from '../deck-polygon/examples/london.svg?url'
import deck_polygon_1_dark from '../deck-polygon/examples/london.dark.svg?url'
import deck_scatter_0_light from '../deck-scatter/examples/quakes.svg?url'
import deck_scatter_0_dark from '../deck-scatter/examples/quakes.dark.svg?url'
import deck_screengrid_0_light from '../deck-screengrid/examples/quakes.svg?url'
import deck_screengrid_0_dark from '../deck-screengrid/examples/quakes.dark.svg?url'
import echarts_area_0_light from '../area/examples/industries.svg?url'
import echarts_area_0_dark from '../area/examples/industries.dark.svg?url'
import echarts_area_1_light from '../area/examples/shares.svg?url'
import echarts_area_1_dark from '../area/examples/shares.dark.svg?url'
import echarts_timeseries_0_light from '../time-series/examples/rain-days.svg?url'
import echarts_timeseries_0_dark from '../time-series/examples/rain-days.dark.svg?url'
import echarts_timeseries_1_light from '../time-series/examples/temperatures.svg?url'
import echarts_timeseries_1_dark from '../time-series/examples/temperatures.dark.svg?url'
import echarts_timeseries_bar_0_light from '../bar/examples/industries.svg?url'
import echarts_timeseries_bar_0_dark from '../bar/examples/industries.dark.svg?url'
import echarts_timeseries_bar_1_light from '../bar/examples/weather-by-month.svg?url'
import echarts_timeseries_bar_1_dark from '../bar/examples/weather-by-month.dark.svg?url'
import echarts_timeseries_line_0_light from '../line/examples/temperatures.svg?url'
import echarts_timeseries_line_0_dark from '../line/examples/temperatures.dark.svg?url'
import echarts_timeseries_line_1_light from '../line/examples/stock-prices-annotated.svg?url'
import echarts_timeseries_line_1_dark from '../line/examples/stock-prices-annotated.dark.svg?url'
import echarts_timeseries_scatter_0_light from '../scatter/examples/wind-by-temperature.svg?url'
import echarts_timeseries_scatter_0_dark from '../scatter/examples/wind-by-temperature.dark.svg?url'
import echarts_timeseries_smooth_0_light from '../smooth/examples/temperatures.svg?url'
import echarts_timeseries_smooth_0_dark from '../smooth/examples/temperatures.dark.svg?url'
import echarts_timeseries_step_0_light from '../step/examples/stock-prices.svg?url'
import echarts_timeseries_step_0_dark from '../step/examples/stock-prices.dark.svg?url'
import event_flow_0_light from '../event-flow/examples/orders-in-any-order.svg?url'
import event_flow_0_dark from '../event-flow/examples/orders-in-any-order.dark.svg?url'
import event_flow_1_light from '../event-flow/examples/weather-of-a-week.svg?url'
import event_flow_1_dark from '../event-flow/examples/weather-of-a-week.dark.svg?url'
import filter_box_0_light from '../filter-box/examples/penguins.svg?url'
import filter_box_0_dark from '../filter-box/examples/penguins.dark.svg?url'
import funnel_0_light from '../funnel/examples/steps.svg?url'
import funnel_0_dark from '../funnel/examples/steps.dark.svg?url'
import funnel_1_light from '../funnel/examples/weather.svg?url'
import funnel_1_dark from '../funnel/examples/weather.dark.svg?url'
import gantt_chart_0_light from '../gantt/examples/monarchs.svg?url'
import gantt_chart_0_dark from '../gantt/examples/monarchs.dark.svg?url'
import gantt_chart_1_light from '../gantt/examples/spells-of-weather.svg?url'
import gantt_chart_1_dark from '../gantt/examples/spells-of-weather.dark.svg?url'
import gauge_chart_0_light from '../gauge/examples/on-time.svg?url'
import gauge_chart_0_dark from '../gauge/examples/on-time.dark.svg?url'
import gauge_chart_1_light from '../gauge/examples/weather.svg?url'
import gauge_chart_1_dark from '../gauge/examples/weather.dark.svg?url'
import graph_chart_0_light from '../graph/examples/flights-from-four-states.svg?url'
import graph_chart_0_dark from '../graph/examples/flights-from-four-states.dark.svg?url'
import graph_chart_1_light from '../graph/examples/loops-without-categories.svg?url'
import graph_chart_1_dark from '../graph/examples/loops-without-categories.dark.svg?url'
import handlebars_0_light from '../handlebars/examples/airports.svg?url'
import handlebars_0_dark from '../handlebars/examples/airports.dark.svg?url'
import handlebars_1_light from '../handlebars/examples/penguins.svg?url'
import handlebars_1_dark from '../handlebars/examples/penguins.dark.svg?url'
import heatmap_v2_0_light from '../heatmap/examples/unemployment.svg?url'
import heatmap_v2_0_dark from '../heatmap/examples/unemployment.dark.svg?url'
import heatmap_v2_1_light from '../heatmap/examples/warmer-and-colder.svg?url'
import heatmap_v2_1_dark from '../heatmap/examples/warmer-and-colder.dark.svg?url'
import histogram_v2_0_light from '../histogram/examples/body-mass.svg?url'
import histogram_v2_0_dark from '../histogram/examples/body-mass.dark.svg?url'
import histogram_v2_1_light from '../histogram/examples/flippers-by-species.svg?url'
import histogram_v2_1_dark from '../histogram/examples/flippers-by-species.dark.svg?url'
import horizon_0_light from '../horizon/examples/industries.svg?url'
import horizon_0_dark from '../horizon/examples/industries.dark.svg?url'
import horizon_1_light from '../horizon/examples/temperatures.svg?url'
import horizon_1_dark from '../horizon/examples/temperatures.dark.svg?url'
import line_multi_0_light from '../line-multi/examples/sales-and-warmth.svg?url'
import line_multi_0_dark from '../line-multi/examples/sales-and-warmth.dark.svg?url'
import mapbox_0_light from '../mapbox/examples/quakes.svg?url'
import mapbox_0_dark from '../mapbox/examples/quakes.dark.svg?url'
import mixed_timeseries_0_light from '../mixed/examples/islands.svg?url'
import mixed_timeseries_0_dark from '../mixed/examples/islands.dark.svg?url'
import mixed_timeseries_1_light from '../mixed/examples/rain-and-temperature.svg?url'
import mixed_timeseries_1_dark from '../mixed/examples/rain-and-temperature.dark.svg?url'
import paired_ttest_0_light from '../paired-ttest/examples/sleep.svg?url'
import paired_ttest_0_dark from '../paired-ttest/examples/sleep.dark.svg?url'
import para_0_light from '../para/examples/cars.svg?url'
import para_0_dark from '../para/examples/cars.dark.svg?url'
import para_1_light from '../para/examples/regions.svg?url'
import para_1_dark from '../para/examples/regions.dark.svg?url'
import partition_0_light from '../partition/examples/growth.svg?url'
import partition_0_dark from '../partition/examples/growth.dark.svg?url'
import partition_1_light from '../partition/examples/population.svg?url'
import partition_1_dark from '../partition/examples/population.dark.svg?url'
import pie_0_light from '../pie/examples/many-industries.svg?url'
import pie_0_dark from '../pie/examples/many-industries.dark.svg?url'
import pie_1_light from '../pie/examples/weather.svg?url'
import pie_1_dark from '../pie/examples/weather.dark.svg?url'
import pivot_table_v2_0_light from '../pivot-table/examples/cars.svg?url'
import pivot_table_v2_0_dark from '../pivot-table/examples/cars.dark.svg?url'
import pivot_table_v2_1_light from '../pivot-table/examples/penguins.svg?url'
import pivot_table_v2_1_dark from '../pivot-table/examples/penguins.dark.svg?url'
import pop_kpi_0_light from '../pop-kpi/examples/late-flights.svg?url'
import pop_kpi_0_dark from '../pop-kpi/examples/late-flights.dark.svg?url'
import pop_kpi_1_light from '../pop-kpi/examples/month-before.svg?url'
import pop_kpi_1_dark from '../pop-kpi/examples/month-before.dark.svg?url'
import radar_0_light from '../radar/examples/penguins.svg?url'
import radar_0_dark from '../radar/examples/penguins.dark.svg?url'
import rose_0_light from '../rose/examples/weather-by-month.svg?url'
import rose_0_dark from '../rose/examples/weather-by-month.dark.svg?url'
import rose_1_light from '../rose/examples/year-before.svg?url'
import rose_1_dark from '../rose/examples/year-before.dark.svg?url'
import sankey_v2_0_light from '../sankey/examples/circle-and-loss.svg?url'
import sankey_v2_0_dark from '../sankey/examples/circle-and-loss.dark.svg?url'
import sankey_v2_1_light from '../sankey/examples/flights-from-hubs.svg?url'
import sankey_v2_1_dark from '../sankey/examples/flights-from-hubs.dark.svg?url'
import sunburst_v2_0_light from '../sunburst/examples/cars.svg?url'
import sunburst_v2_0_dark from '../sunburst/examples/cars.dark.svg?url'
import sunburst_v2_1_light from '../sunburst/examples/population.svg?url'
import sunburst_v2_1_dark from '../sunburst/examples/population.dark.svg?url'
import table_0_light from '../table/examples/airports.svg?url'
import table_0_dark from '../table/examples/airports.dark.svg?url'
import table_1_light from '../table/examples/compared.svg?url'
import table_1_dark from '../table/examples/compared.dark.svg?url'
import time_pivot_0_light from '../time-pivot/examples/weeks.svg?url'
import time_pivot_0_dark from '../time-pivot/examples/weeks.dark.svg?url'
import time_pivot_1_light from '../time-pivot/examples/years.svg?url'
import time_pivot_1_dark from '../time-pivot/examples/years.dark.svg?url'
import time_table_0_light from '../time-table/examples/stock-prices.svg?url'
import time_table_0_dark from '../time-table/examples/stock-prices.dark.svg?url'
import time_table_1_light from '../time-table/examples/temperatures.svg?url'
import time_table_1_dark from '../time-table/examples/temperatures.dark.svg?url'
import tree_chart_0_light from '../tree/examples/animals.svg?url'
import tree_chart_0_dark from '../tree/examples/animals.dark.svg?url'
import treemap_v2_0_light from '../treemap/examples/industries.svg?url'
import treemap_v2_0_dark from '../treemap/examples/industries.dark.svg?url'
import treemap_v2_1_light from '../treemap/examples/population.svg?url'
import treemap_v2_1_dark from '../treemap/examples/population.dark.svg?url'
import waterfall_0_light from '../waterfall/examples/members-by-month.svg?url'
import waterfall_0_dark from '../waterfall/examples/members-by-month.dark.svg?url'
import waterfall_1_light from '../waterfall/examples/profit.svg?url'
import waterfall_1_dark from '../waterfall/examples/profit.dark.svg?url'
import word_cloud_0_light from '../word-cloud/examples/frequent-jobs.svg?url'
import word_cloud_0_dark from '../word-cloud/examples/frequent-jobs.dark.svg?url'
import word_cloud_1_light from '../word-cloud/examples/jobs.svg?url'
import word_cloud_1_dark from '../word-cloud/examples/jobs.dark.svg?url'
import world_map_0_light from '../world-map/examples/life-expectancy.svg?url'
import world_map_0_dark from '../world-map/examples/life-expectancy.dark.svg?url'
import world_map_1_light from '../world-map/examples/odd-codes.svg?url'
import world_map_1_dark from '../world-map/examples/odd-codes.dark.svg?url'

/** Addresses of the examples of the gallery, by chart type and name. */
export const examples: Record<string, Record<string, { light: string; dark: string }>> = {
  big_number: {
    "flights-a-day": { light: big_number_0_light, dark: big_number_0_dark },
  },
  big_number_total: {
    "flights": { light: big_number_total_0_light, dark: big_number_total_0_dark },
    "latest": { light: big_number_total_1_light, dark: big_number_total_1_dark },
  },
  box_plot: {
    "temperature-by-weather": { light: box_plot_0_light, dark: box_plot_0_dark },
  },
  bubble_v2: {
    "cars-log": { light: bubble_v2_0_light, dark: bubble_v2_0_dark },
    "countries": { light: bubble_v2_1_light, dark: bubble_v2_1_dark },
  },
  bullet: {
    "rain": { light: bullet_0_light, dark: bullet_0_dark },
  },
  cal_heatmap: {
    "rain-of-a-quarter": { light: cal_heatmap_0_light, dark: cal_heatmap_0_dark },
    "temperatures": { light: cal_heatmap_1_light, dark: cal_heatmap_1_dark },
  },
  chord: {
    "flights-between-hubs": { light: chord_0_light, dark: chord_0_dark },
    "loops-and-loss": { light: chord_1_light, dark: chord_1_dark },
  },
  compare: {
    "since-2007": { light: compare_0_light, dark: compare_0_dark },
    "stock-prices": { light: compare_1_light, dark: compare_1_dark },
  },
  country_map: {
    "airports": { light: country_map_0_light, dark: country_map_0_dark },
    "odd-codes": { light: country_map_1_light, dark: country_map_1_dark },
  },
  deck_arc: {
    "flights": { light: deck_arc_0_light, dark: deck_arc_0_dark },
  },
  deck_contour: {
    "quakes": { light: deck_contour_0_light, dark: deck_contour_0_dark },
  },
  deck_geojson: {
    "london": { light: deck_geojson_0_light, dark: deck_geojson_0_dark },
  },
  deck_grid: {
    "quakes": { light: deck_grid_0_light, dark: deck_grid_0_dark },
  },
  deck_heatmap: {
    "quakes": { light: deck_heatmap_0_light, dark: deck_heatmap_0_dark },
  },
  deck_hex: {
    "quakes": { light: deck_hex_0_light, dark: deck_hex_0_dark },
  },
  deck_multi: {
    "layers": { light: deck_multi_0_light, dark: deck_multi_0_dark },
  },
  deck_path: {
    "tubes": { light: deck_path_0_light, dark: deck_path_0_dark },
  },
  deck_polygon: {
    "geohashes": { light: deck_polygon_0_light, dark: deck_polygon_0_dark },
    "london": { light: deck_polygon_1_light, dark: deck_polygon_1_dark },
  },
  deck_scatter: {
    "quakes": { light: deck_scatter_0_light, dark: deck_scatter_0_dark },
  },
  deck_screengrid: {
    "quakes": { light: deck_screengrid_0_light, dark: deck_screengrid_0_dark },
  },
  echarts_area: {
    "industries": { light: echarts_area_0_light, dark: echarts_area_0_dark },
    "shares": { light: echarts_area_1_light, dark: echarts_area_1_dark },
  },
  echarts_timeseries: {
    "rain-days": { light: echarts_timeseries_0_light, dark: echarts_timeseries_0_dark },
    "temperatures": { light: echarts_timeseries_1_light, dark: echarts_timeseries_1_dark },
  },
  echarts_timeseries_bar: {
    "industries": { light: echarts_timeseries_bar_0_light, dark: echarts_timeseries_bar_0_dark },
    "weather-by-month": { light: echarts_timeseries_bar_1_light, dark: echarts_timeseries_bar_1_dark },
  },
  echarts_timeseries_line: {
    "temperatures": { light: echarts_timeseries_line_0_light, dark: echarts_timeseries_line_0_dark },
    "stock-prices-annotated": { light: echarts_timeseries_line_1_light, dark: echarts_timeseries_line_1_dark },
  },
  echarts_timeseries_scatter: {
    "wind-by-temperature": { light: echarts_timeseries_scatter_0_light, dark: echarts_timeseries_scatter_0_dark },
  },
  echarts_timeseries_smooth: {
    "temperatures": { light: echarts_timeseries_smooth_0_light, dark: echarts_timeseries_smooth_0_dark },
  },
  echarts_timeseries_step: {
    "stock-prices": { light: echarts_timeseries_step_0_light, dark: echarts_timeseries_step_0_dark },
  },
  event_flow: {
    "orders-in-any-order": { light: event_flow_0_light, dark: event_flow_0_dark },
    "weather-of-a-week": { light: event_flow_1_light, dark: event_flow_1_dark },
  },
  filter_box: {
    "penguins": { light: filter_box_0_light, dark: filter_box_0_dark },
  },
  funnel: {
    "steps": { light: funnel_0_light, dark: funnel_0_dark },
    "weather": { light: funnel_1_light, dark: funnel_1_dark },
  },
  gantt_chart: {
    "monarchs": { light: gantt_chart_0_light, dark: gantt_chart_0_dark },
    "spells-of-weather": { light: gantt_chart_1_light, dark: gantt_chart_1_dark },
  },
  gauge_chart: {
    "on-time": { light: gauge_chart_0_light, dark: gauge_chart_0_dark },
    "weather": { light: gauge_chart_1_light, dark: gauge_chart_1_dark },
  },
  graph_chart: {
    "flights-from-four-states": { light: graph_chart_0_light, dark: graph_chart_0_dark },
    "loops-without-categories": { light: graph_chart_1_light, dark: graph_chart_1_dark },
  },
  handlebars: {
    "airports": { light: handlebars_0_light, dark: handlebars_0_dark },
    "penguins": { light: handlebars_1_light, dark: handlebars_1_dark },
  },
  heatmap_v2: {
    "unemployment": { light: heatmap_v2_0_light, dark: heatmap_v2_0_dark },
    "warmer-and-colder": { light: heatmap_v2_1_light, dark: heatmap_v2_1_dark },
  },
  histogram_v2: {
    "body-mass": { light: histogram_v2_0_light, dark: histogram_v2_0_dark },
    "flippers-by-species": { light: histogram_v2_1_light, dark: histogram_v2_1_dark },
  },
  horizon: {
    "industries": { light: horizon_0_light, dark: horizon_0_dark },
    "temperatures": { light: horizon_1_light, dark: horizon_1_dark },
  },
  line_multi: {
    "sales-and-warmth": { light: line_multi_0_light, dark: line_multi_0_dark },
  },
  mapbox: {
    "quakes": { light: mapbox_0_light, dark: mapbox_0_dark },
  },
  mixed_timeseries: {
    "islands": { light: mixed_timeseries_0_light, dark: mixed_timeseries_0_dark },
    "rain-and-temperature": { light: mixed_timeseries_1_light, dark: mixed_timeseries_1_dark },
  },
  paired_ttest: {
    "sleep": { light: paired_ttest_0_light, dark: paired_ttest_0_dark },
  },
  para: {
    "cars": { light: para_0_light, dark: para_0_dark },
    "regions": { light: para_1_light, dark: para_1_dark },
  },
  partition: {
    "growth": { light: partition_0_light, dark: partition_0_dark },
    "population": { light: partition_1_light, dark: partition_1_dark },
  },
  pie: {
    "many-industries": { light: pie_0_light, dark: pie_0_dark },
    "weather": { light: pie_1_light, dark: pie_1_dark },
  },
  pivot_table_v2: {
    "cars": { light: pivot_table_v2_0_light, dark: pivot_table_v2_0_dark },
    "penguins": { light: pivot_table_v2_1_light, dark: pivot_table_v2_1_dark },
  },
  pop_kpi: {
    "late-flights": { light: pop_kpi_0_light, dark: pop_kpi_0_dark },
    "month-before": { light: pop_kpi_1_light, dark: pop_kpi_1_dark },
  },
  radar: {
    "penguins": { light: radar_0_light, dark: radar_0_dark },
  },
  rose: {
    "weather-by-month": { light: rose_0_light, dark: rose_0_dark },
    "year-before": { light: rose_1_light, dark: rose_1_dark },
  },
  sankey_v2: {
    "circle-and-loss": { light: sankey_v2_0_light, dark: sankey_v2_0_dark },
    "flights-from-hubs": { light: sankey_v2_1_light, dark: sankey_v2_1_dark },
  },
  sunburst_v2: {
    "cars": { light: sunburst_v2_0_light, dark: sunburst_v2_0_dark },
    "population": { light: sunburst_v2_1_light, dark: sunburst_v2_1_dark },
  },
  table: {
    "airports": { light: table_0_light, dark: table_0_dark },
    "compared": { light: table_1_light, dark: table_1_dark },
  },
  time_pivot: {
    "weeks": { light: time_pivot_0_light, dark: time_pivot_0_dark },
    "years": { light: time_pivot_1_light, dark: time_pivot_1_dark },
  },
  time_table: {
    "stock-prices": { light: time_table_0_light, dark: time_table_0_dark },
    "temperatures": { light: time_table_1_light, dark: time_table_1_dark },
  },
  tree_chart: {
    "animals": { light: tree_chart_0_light, dark: tree_chart_0_dark },
  },
  treemap_v2: {
    "industries": { light: treemap_v2_0_light, dark: treemap_v2_0_dark },
    "population": { light: treemap_v2_1_light, dark: treemap_v2_1_dark },
  },
  waterfall: {
    "members-by-month": { light: waterfall_0_light, dark: waterfall_0_dark },
    "profit": { light: waterfall_1_light, dark: waterfall_1_dark },
  },
  word_cloud: {
    "frequent-jobs": { light: word_cloud_0_light, dark: word_cloud_0_dark },
    "jobs": { light: word_cloud_1_light, dark: word_cloud_1_dark },
  },
  world_map: {
    "life-expectancy": { light: world_map_0_light, dark: world_map_0_dark },
    "odd-codes": { light: world_map_1_light, dark: world_map_1_dark },
  },
}
