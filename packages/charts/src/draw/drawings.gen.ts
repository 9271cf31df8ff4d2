// Written by `npm run gen` from the folders beside it.
import type { DrawingModule } from './drawing.ts'

/** The same charts without a browser. */
export const drawings: Record<string, () => Promise<DrawingModule>> = {
  big_number: () => import('../big-number/svg.ts'),
  big_number_total: () => import('../big-number-total/svg.ts'),
  deck_arc: () => import('../deck-arc/svg.ts'),
  deck_contour: () => import('../deck-contour/svg.ts'),
  deck_geojson: () => import('../deck-geojson/svg.ts'),
  deck_grid: () => import('../deck-grid/svg.ts'),
  deck_heatmap: () => import('../deck-heatmap/svg.ts'),
  deck_hex: () => import('../deck-hex/svg.ts'),
  deck_multi: () => import('../deck-multi/svg.ts'),
  deck_path: () => import('../deck-path/svg.ts'),
  deck_polygon: () => import('../deck-polygon/svg.ts'),
  deck_scatter: () => import('../deck-scatter/svg.ts'),
  deck_screengrid: () => import('../deck-screengrid/svg.ts'),
  filter_box: () => import('../filter-box/svg.ts'),
  handlebars: () => import('../handlebars/svg.ts'),
  mapbox: () => import('../mapbox/svg.ts'),
  paired_ttest: () => import('../paired-ttest/svg.ts'),
  pivot_table_v2: () => import('../pivot-table/svg.ts'),
  pop_kpi: () => import('../pop-kpi/svg.ts'),
  table: () => import('../table/svg.ts'),
  time_table: () => import('../time-table/svg.ts'),
}
