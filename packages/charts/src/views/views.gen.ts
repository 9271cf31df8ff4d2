// Written by `npm run gen` from the folders beside it.
import type { ViewModule } from './view.ts'

/** Charts that draw themselves. */
export const views: Record<string, () => Promise<ViewModule>> = {
  big_number: () => import('../big-number/View.tsx'),
  big_number_total: () => import('../big-number-total/View.tsx'),
  deck_arc: () => import('../deck-arc/View.tsx'),
  deck_contour: () => import('../deck-contour/View.tsx'),
  deck_geojson: () => import('../deck-geojson/View.tsx'),
  deck_grid: () => import('../deck-grid/View.tsx'),
  deck_heatmap: () => import('../deck-heatmap/View.tsx'),
  deck_hex: () => import('../deck-hex/View.tsx'),
  deck_multi: () => import('../deck-multi/View.tsx'),
  deck_path: () => import('../deck-path/View.tsx'),
  deck_polygon: () => import('../deck-polygon/View.tsx'),
  deck_scatter: () => import('../deck-scatter/View.tsx'),
  deck_screengrid: () => import('../deck-screengrid/View.tsx'),
  filter_box: () => import('../filter-box/View.tsx'),
  handlebars: () => import('../handlebars/View.tsx'),
  mapbox: () => import('../mapbox/View.tsx'),
  paired_ttest: () => import('../paired-ttest/View.tsx'),
  pivot_table_v2: () => import('../pivot-table/View.tsx'),
  pop_kpi: () => import('../pop-kpi/View.tsx'),
  table: () => import('../table/View.tsx'),
  time_table: () => import('../time-table/View.tsx'),
}
