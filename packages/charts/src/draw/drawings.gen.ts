// Written by `npm run gen` from the folders beside it.
import type { DrawingModule } from './drawing.ts'

/** The same charts without a browser. */
export const drawings: Record<string, () => Promise<DrawingModule>> = {
  big_number: () => import('../big-number/svg.ts'),
  big_number_total: () => import('../big-number-total/svg.ts'),
  handlebars: () => import('../handlebars/svg.ts'),
  paired_ttest: () => import('../paired-ttest/svg.ts'),
  pivot_table_v2: () => import('../pivot-table/svg.ts'),
  pop_kpi: () => import('../pop-kpi/svg.ts'),
  table: () => import('../table/svg.ts'),
  time_table: () => import('../time-table/svg.ts'),
}
