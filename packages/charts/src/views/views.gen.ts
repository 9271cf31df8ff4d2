// Written by `npm run gen` from the folders beside it.
import type { ViewModule } from './view.ts'

/** Charts that draw themselves. */
export const views: Record<string, () => Promise<ViewModule>> = {
  big_number: () => import('../big-number/View.tsx'),
  big_number_total: () => import('../big-number-total/View.tsx'),
  handlebars: () => import('../handlebars/View.tsx'),
  paired_ttest: () => import('../paired-ttest/View.tsx'),
  pivot_table_v2: () => import('../pivot-table/View.tsx'),
  pop_kpi: () => import('../pop-kpi/View.tsx'),
  table: () => import('../table/View.tsx'),
  time_table: () => import('../time-table/View.tsx'),
}
